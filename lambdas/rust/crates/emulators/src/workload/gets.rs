//! Reads items by key.

use crate::call::{Call, Engine};
use crate::items;
use crate::step::{Step, Unanswered};
use crate::workload::{TABLE, scattered};

const GETS: usize = 1_000;
const BATCH_GETS: usize = 100;
const BATCH_KEYS: usize = 100;

pub async fn get(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for index in (0..GETS).map(scattered) {
        let call = Call::Get { table: TABLE.into(), key: items::seeded_key(index) };
        if let Some(answer) = step.ask(engine, call).await? {
            step.items_count += answer.items.len();
            step.expect_item("GetItem", answer.items.first(), &items::seeded(index));
        }
    }
    Ok(step)
}

pub async fn batch_get(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for batch in 0..BATCH_GETS {
        let keys =
            (0..BATCH_KEYS).map(|index| items::seeded_key(scattered(batch * BATCH_KEYS + index))).collect();
        if let Some(answer) = step.ask(engine, Call::BatchGet { table: TABLE.into(), keys }).await? {
            step.count("items of a batch", answer.items.len(), BATCH_KEYS);
        }
    }
    Ok(step)
}
