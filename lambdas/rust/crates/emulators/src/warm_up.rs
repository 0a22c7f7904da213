//! Gives a JVM time to compile the code before the warm figures.

use crate::call::{Call, Engine};
use crate::items::{key, medium};
use crate::step::{Step, Unanswered};
use crate::table;

const TABLE: &str = "warm-up";
const PUTS: usize = 500;
const GETS: usize = 100;

/// Makes 500 PutItem and 100 GetItem calls on its own table.
///
/// # Errors
/// When the engine did not answer.
pub async fn warm_up(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    table::create(&mut step, engine, TABLE).await?;
    for index in 0..PUTS {
        let call = Call::Put { table: TABLE.into(), item: medium("warm", index, index), condition: None };
        step.items_count += usize::from(step.ask(engine, call).await?.is_some());
    }
    for index in 0..GETS {
        step.ask(engine, Call::Get { table: TABLE.into(), key: key("warm", index) }).await?;
    }
    table::delete(&mut step, engine, TABLE).await?;
    Ok(step)
}
