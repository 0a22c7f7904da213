//! Single calls of an engine, to count their instructions or time them.

use crate::call::{Call, Engine, Read, Write};
use crate::items::{self, EMAIL_INDEX, expression, key, large, medium, number, small, text};
use crate::step::{Step, Unanswered};
use crate::table;

const TABLE: &str = "counted";
/// Items in the table: twenty partitions of the workload.
const ITEMS: usize = 1_000;
const BATCH: usize = 25;

/// Names of all counted calls.
pub const COUNTED: [&str; 12] = [
    "get",
    "put_small",
    "put_medium",
    "put_large",
    "query",
    "query_index",
    "scan",
    "update",
    "delete",
    "batch_write",
    "batch_get",
    "transact_write",
];

/// Creates the table and writes a thousand items to it.
///
/// # Errors
/// When the engine did not answer.
pub async fn fill(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    table::create(&mut step, engine, TABLE).await?;
    for start in (0..ITEMS).step_by(BATCH) {
        let puts = (start..start + BATCH).map(items::seeded).collect();
        step.ask(engine, Call::BatchWrite { table: TABLE.into(), puts }).await?;
    }
    Ok(step)
}

/// Returns the call of that name, or `None` if there is none. Calls with different `index` access different items.
#[must_use]
pub fn counted_call(name: &str, index: usize) -> Option<Call> {
    let table = || TABLE.to_owned();
    let put = |item| Call::Put { table: table(), item, condition: None };
    let read = |index_name: Option<&str>, condition, filter| Read {
        table: table(),
        index: index_name.map(str::to_owned),
        key_condition: condition,
        filter,
        ..Read::default()
    };
    Some(match name {
        "get" => Call::Get { table: table(), key: items::seeded_key(index) },
        "put_small" => put(small("counted", index)),
        "put_medium" => put(medium("counted", index, index)),
        "put_large" => put(large("counted", index)),
        "query" => {
            let partition = text(&items::partition(index % (ITEMS / items::PER_PARTITION)));
            Call::Query(read(None, Some(expression("pk = :pk", [(":pk", partition)])), None))
        }
        "query_index" => {
            let email = text(&items::email(index));
            Call::Query(read(
                Some(EMAIL_INDEX),
                Some(expression("email = :email", [(":email", email)])),
                None,
            ))
        }
        "scan" => {
            let filter = expression("begins_with(description, :start)", [(":start", text("0001"))]);
            Call::Scan(read(None, None, Some(filter)))
        }
        "update" => Call::Update {
            table: table(),
            key: items::seeded_key(index),
            update: expression("SET version = :next", [(":next", number(2))]),
            condition: Some(expression("version = :version", [(":version", number(1))])),
        },
        "delete" => Call::Delete { table: table(), key: items::seeded_key(index) },
        "batch_write" => {
            let puts = (0..BATCH).map(|place| medium("batch", index * BATCH + place, place)).collect();
            Call::BatchWrite { table: table(), puts }
        }
        "batch_get" => Call::BatchGet {
            table: table(),
            keys: (0..100).map(|place| items::seeded_key(place * 10 + index % 10)).collect(),
        },
        "transact_write" => Call::Transact {
            table: table(),
            writes: vec![
                Write::Put(small("transaction", 2 * index)),
                Write::Put(small("transaction", 2 * index + 1)),
                Write::Update {
                    key: items::seeded_key(500 + index),
                    update: expression("SET note = :note", [(":note", text("changed"))]),
                },
                Write::Check {
                    key: key("customer-000", 1),
                    condition: expression("version = :one", [(":one", number(1))]),
                },
            ],
        },
        _ => return None,
    })
}

/// Returns the calls that undo the call of that name and `index`, so that it finds the same items again.
#[must_use]
pub fn undoing_calls(name: &str, index: usize) -> Vec<Call> {
    let table = || TABLE.to_owned();
    let delete = |key| Call::Delete { table: table(), key };
    let put_back = |index| Call::Put { table: table(), item: items::seeded(index), condition: None };
    match name {
        "put_small" | "put_medium" | "put_large" => vec![delete(key("counted", index))],
        "update" | "delete" => vec![put_back(index)],
        "batch_write" => (0..BATCH).map(|place| delete(key("batch", index * BATCH + place))).collect(),
        "transact_write" => vec![
            delete(key("transaction", 2 * index)),
            delete(key("transaction", 2 * index + 1)),
            put_back(500 + index),
        ],
        _ => vec![],
    }
}
