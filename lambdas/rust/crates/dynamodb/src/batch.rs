use std::time::Duration;

use bench_core::Measured;

use crate::{Error, Item, Table};

/// The first call and at most seven more for what was left unprocessed.
const MOST_CALLS: u32 = 8;
/// Before the second call; doubled before each later one, so 1.27 s over seven: far inside any timeout, and short
/// against the seconds after which a throttled on-demand table takes more.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// Writes items in one batch and sends those left unprocessed again, counting them.
///
/// The pauses are in the operation's duration and not in the calls' time.
///
/// # Errors
/// A call that failed, or items still unprocessed after the last.
pub async fn write<T: Table>(table: &T, items: Vec<Item>) -> Result<Measured, Error> {
    let count = items.len() as u32;
    let mut left = items.into_iter().map(|item| table.write(item)).collect::<Result<Vec<_>, _>>()?;
    let mut sdk_calls = Duration::ZERO;
    let mut retried = 0;
    for call in 1..=MOST_CALLS {
        if call > 1 {
            retried += left.len() as u32;
            tokio::time::sleep(FIRST_PAUSE * 2_u32.pow(call - 2)).await;
        }
        let answer = table.batch_write(left).await?;
        sdk_calls += answer.time;
        left = answer.value;
        if left.is_empty() {
            return Ok(Measured {
                sdk_calls: Some(sdk_calls),
                items: Some(count),
                retried_items: Some(retried),
                ..Measured::default()
            });
        }
    }
    Err(Error::ItemsUnprocessed { left: left.len(), items: count, calls: MOST_CALLS })
}
