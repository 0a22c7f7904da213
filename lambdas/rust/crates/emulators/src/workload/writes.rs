//! Writes and deletes items without a condition.

use crate::call::{Call, Engine};
use crate::items::{self, SEEDED, key};
use crate::step::{Step, Unanswered};
use crate::workload::{TABLE, scattered};

const BATCH: usize = 25;
const PUTS: usize = 1_000;
const DELETES: usize = 500;

pub async fn batch_write(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for start in (0..SEEDED).step_by(BATCH) {
        let puts = (start..start + BATCH).map(items::seeded).collect();
        if let Some(answer) = step.ask(engine, Call::BatchWrite { table: TABLE.into(), puts }).await? {
            step.count("items of a batch", BATCH - answer.unprocessed, BATCH);
        }
    }
    Ok(step)
}

pub async fn put(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for index in 0..PUTS {
        let call = Call::Put { table: TABLE.into(), item: items::mixed(index), condition: None };
        step.items_count += usize::from(step.ask(engine, call).await?.is_some());
    }
    let mut check = Step::default();
    for index in (0..PUTS).step_by(37) {
        let call = Call::Get { table: TABLE.into(), key: key("put", index) };
        if let Some(answer) = check.ask(engine, call).await? {
            check.expect_item("the item that was put", answer.items.first(), &items::mixed(index));
        }
    }
    step.verified(check);
    Ok(step)
}

pub async fn delete(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for index in 0..DELETES {
        let key = items::seeded_key(scattered(index));
        let answered = step.ask(engine, Call::Delete { table: TABLE.into(), key }).await?;
        step.items_count += usize::from(answered.is_some());
    }
    let mut check = Step::default();
    for index in (0..DELETES).step_by(7) {
        let key = items::seeded_key(scattered(index));
        if let Some(answer) = check.ask(engine, Call::Get { table: TABLE.into(), key }).await? {
            check.expect("items that a delete left", answer.items.len(), 0);
        }
    }
    step.verified(check);
    Ok(step)
}
