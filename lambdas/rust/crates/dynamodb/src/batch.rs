use std::time::Duration;

use bench_core::Measured;

use crate::{Error, Item, Table};

/// The first call and at most seven retries of unprocessed items.
const MOST_CALLS: u32 = 8;
/// Pause before the first retry. Each later one is twice as long, 1.27 s for all seven: far below any timeout, and
/// short compared with the seconds that a throttled on-demand table takes to scale.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

/// Writes items in one batch, and counts the unprocessed ones that it sends again.
///
/// The pauses are part of the operation's duration, but not of the calls' time.
///
/// # Errors
/// When a call fails, or items are still unprocessed after the last one.
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
