//! Writes of which every fifth must be refused and must change nothing.

use crate::call::{Call, Engine, Write};
use crate::items::{self, expression, key, number, text};
use crate::step::{Step, Unanswered};
use crate::workload::{TABLE, scattered};

const UPDATES: usize = 500;
const TRANSACTIONS: usize = 50;
const FAILS: usize = 5;

/// Makes 500 updates, of which every fifth requires a version that the item does not have.
pub async fn update(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    let call = |index: usize, version: usize| Call::Update {
        table: TABLE.into(),
        key: items::seeded_key(scattered(index)),
        update: expression("SET version = :next", [(":next", number(2))]),
        condition: Some(expression("version = :version", [(":version", number(version))])),
    };
    for index in 0..UPDATES {
        if index.is_multiple_of(FAILS) {
            step.ask_refused(engine, call(index, 7), "ConditionalCheckFailedException").await?;
        } else {
            step.items_count += usize::from(step.ask(engine, call(index, 1)).await?.is_some());
        }
    }
    let mut check = Step::default();
    for index in (0..UPDATES).step_by(9) {
        let key = items::seeded_key(scattered(index));
        if let Some(answer) = check.ask(engine, Call::Get { table: TABLE.into(), key }).await? {
            let version = answer.items.first().and_then(|item| item.get("version"));
            let expected = if index.is_multiple_of(FAILS) { number(1) } else { number(2) };
            check.expect("the version after its update", version == Some(&expected), true);
        }
    }
    step.verified(check);
    Ok(step)
}

/// Makes 50 transactions of two puts, an update and a check. Every fifth fails its check and must change nothing.
pub async fn transact_write(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for index in 0..TRANSACTIONS {
        let fails = index.is_multiple_of(FAILS);
        let changed = items::seeded_key(9_100 + index);
        let condition = if fails { "version > :version" } else { "version < :version" };
        let writes = vec![
            Write::Put(items::small("transaction", 2 * index)),
            Write::Put(items::small("transaction", 2 * index + 1)),
            Write::Update {
                key: changed,
                update: expression("SET note = :note", [(":note", text("changed"))]),
            },
            Write::Check {
                key: items::seeded_key(9_000 + index),
                condition: expression(condition, [(":version", number(9))]),
            },
        ];
        let call = Call::Transact { table: TABLE.into(), writes };
        if fails {
            step.ask_refused(engine, call, "TransactionCanceledException").await?;
        } else if step.ask(engine, call).await?.is_some() {
            step.items_count += 3;
        }
    }
    let mut check = Step::default();
    for index in 0..TRANSACTIONS {
        let call = Call::Get { table: TABLE.into(), key: key("transaction", 2 * index + 1) };
        if let Some(answer) = check.ask(engine, call).await? {
            let expected = usize::from(!index.is_multiple_of(FAILS));
            check.expect("items that a transaction left", answer.items.len(), expected);
        }
    }
    step.verified(check);
    Ok(step)
}
