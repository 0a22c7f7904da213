use std::time::{Duration, Instant};

use crate::call::{Call, Engine};
use crate::step::{Step, Unanswered};

/// Polling interval: creating and deleting a table may take time, on DynamoDB too.
const PAUSE: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_secs(10);

/// Creates a table and returns when it is active; `step` times only the call.
pub async fn create(step: &mut Step, engine: &impl Engine, table: &str) -> Result<(), Unanswered> {
    step.ask(engine, Call::CreateTable { table: table.into() }).await?;
    let is_active = until(engine, table, |status| status == Some("ACTIVE")).await?;
    step.expect("the new table is active", is_active, true);
    Ok(())
}

/// Deletes a table and returns when it is gone.
pub async fn delete(step: &mut Step, engine: &impl Engine, table: &str) -> Result<(), Unanswered> {
    step.ask(engine, Call::DeleteTable { table: table.into() }).await?;
    let is_gone = until(engine, table, |status| status.is_none()).await?;
    step.expect("the deleted table is gone", is_gone, true);
    Ok(())
}

async fn until(
    engine: &impl Engine,
    table: &str,
    is_so: impl Fn(Option<&str>) -> bool,
) -> Result<bool, Unanswered> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let described = engine.call(Call::DescribeTable { table: table.into() }).await.answer;
        if is_so(described.ok().and_then(|answer| answer.status).as_deref()) {
            return Ok(true);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(false)
}
