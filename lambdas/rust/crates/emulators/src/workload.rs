//! The 13 steps, each over what the steps before it left in the table.

use crate::call::{Attribute, Call, Engine, Read, Write};
use crate::items::{self, EMAIL_INDEX, PER_EMAIL, PER_PARTITION, SEEDED, expression, key, number, text};
use crate::step::{Step, Unanswered};
use crate::table;

const TABLE: &str = "workload";
const BATCH: usize = 25;
const GETS: usize = 1_000;
const PUTS: usize = 1_000;
const QUERIES: usize = 100;
const PAGINATED: usize = 50;
const PAGE: usize = 10;
const UPDATES: usize = 500;
/// Of the updates one in so many must fail, and of the transactions.
const FAILS: usize = 5;
const TRANSACTIONS: usize = 50;
const BATCH_GETS: usize = 100;
const BATCH_KEYS: usize = 100;
const DELETES: usize = 500;
const MOST_PAGES: usize = 1_000;

/// Operations in the order in which they must be made.
pub const STEPS: [&str; 13] = [
    "create_table",
    "batch_write",
    "get",
    "put",
    "query",
    "query_index",
    "query_paginated",
    "scan",
    "update",
    "transact_write",
    "batch_get",
    "delete",
    "delete_table",
];

/// One step of the workload; `None` where there is none of that name.
///
/// # Errors
/// When the engine did not answer.
pub async fn step(name: &str, engine: &impl Engine) -> Option<Result<Step, Unanswered>> {
    Some(match name {
        "create_table" => create_table(engine).await,
        "batch_write" => batch_write(engine).await,
        "get" => get(engine).await,
        "put" => put(engine).await,
        "query" => query(engine).await,
        "query_index" => query_index(engine).await,
        "query_paginated" => query_paginated(engine).await,
        "scan" => scan(engine).await,
        "update" => update(engine).await,
        "transact_write" => transact_write(engine).await,
        "batch_get" => batch_get(engine).await,
        "delete" => delete(engine).await,
        "delete_table" => delete_table(engine).await,
        _ => return None,
    })
}

async fn create_table(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    table::create(&mut step, engine, TABLE).await?;
    Ok(step)
}

async fn batch_write(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for start in (0..SEEDED).step_by(BATCH) {
        let puts = (start..start + BATCH).map(items::seeded).collect();
        if let Some(answer) = step.ask(engine, Call::BatchWrite { table: TABLE.into(), puts }).await? {
            step.count("items of a batch", BATCH - answer.unprocessed, BATCH);
        }
    }
    Ok(step)
}

async fn get(engine: &impl Engine) -> Result<Step, Unanswered> {
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

async fn put(engine: &impl Engine) -> Result<Step, Unanswered> {
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

/// The upper half of a partition, and of it what is active.
async fn query(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    let half = PER_PARTITION / 2;
    for partition in (0..QUERIES).map(|query| query * 2) {
        let read = Read {
            table: TABLE.into(),
            key_condition: Some(expression(
                "pk = :pk AND sk >= :from",
                [(":pk", text(&items::partition(partition))), (":from", number(half))],
            )),
            filter: Some(expression("isMember = :is", [(":is", Attribute::Bool(true))])),
            ..Read::default()
        };
        if let Some(answer) = step.ask(engine, Call::Query(read)).await? {
            let first = partition * PER_PARTITION;
            let matching: Vec<_> =
                (first + half..first + PER_PARTITION).filter(|index| index % 2 == 0).collect();
            step.count("items of a Query", answer.items.len(), matching.len());
            step.expect("items read by a Query", answer.scanned, PER_PARTITION - half);
            for (found, index) in answer.items.iter().zip(matching) {
                step.expect_item("Query", Some(found), &items::seeded(index));
            }
        }
    }
    Ok(step)
}

async fn query_index(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for number in (0..QUERIES).map(|query| query * 7) {
        let email = text(&items::email(number));
        let read = Read {
            table: TABLE.into(),
            index: Some(EMAIL_INDEX.into()),
            key_condition: Some(expression("email = :email", [(":email", email.clone())])),
            ..Read::default()
        };
        if let Some(answer) = step.ask(engine, Call::Query(read)).await? {
            step.count("items of a Query on the index", answer.items.len(), PER_EMAIL);
            let foreign = answer.items.iter().filter(|item| item.get("email") != Some(&email)).count();
            step.expect("items with another email", foreign, 0);
        }
    }
    Ok(step)
}

/// One time for a whole partition, page by page.
async fn query_paginated(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for partition in 0..PAGINATED {
        let mut pages = Step::default();
        let mut found = Vec::new();
        let mut start = None;
        loop {
            let read = Read {
                table: TABLE.into(),
                key_condition: Some(expression("pk = :pk", [(":pk", text(&items::partition(partition)))])),
                limit: Some(PAGE as i32),
                start,
                ..Read::default()
            };
            let Some(answer) = pages.ask(engine, Call::Query(read)).await? else { break };
            pages.expect("items of a page above its limit", answer.items.len().saturating_sub(PAGE), 0);
            found.extend(answer.items);
            start = answer.next;
            if start.is_none() || found.len() > PER_PARTITION {
                break;
            }
        }
        let in_order = found.iter().enumerate().all(|(sk, item)| item.get("sk") == Some(&number(sk)));
        pages.expect("pages in the order of the sort key", in_order, true);
        step.latencies_ms.push(pages.latencies_ms.iter().sum());
        step.count("items of all pages", found.len(), PER_PARTITION);
        step.verified(pages);
    }
    Ok(step)
}

/// One time for the whole table, page by page.
async fn scan(engine: &impl Engine) -> Result<Step, Unanswered> {
    // Medium items carry their index in five digits, so that a hundred of them begin alike.
    let hundred = 100..200;
    let put = hundred.clone().filter(|index| !items::is_small(*index)).count();
    let filter = expression(
        "begins_with(description, :start) AND version = :version",
        [(":start", text("001")), (":version", number(1))],
    );
    let read = Read { table: TABLE.into(), filter: Some(filter), ..Read::default() };
    let pages = whole_scan(engine, read).await?;
    let mut step = Step { latencies_ms: vec![pages.step.latencies_ms.iter().sum()], ..Step::default() };
    step.count("items of the Scan", pages.matching, hundred.len() + put);
    step.verified(pages.step);
    Ok(step)
}

/// Of 500 every fifth asks for a version that the item does not have.
async fn update(engine: &impl Engine) -> Result<Step, Unanswered> {
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

/// Two puts, an update and a check; of 50 every fifth fails by its check and must change nothing.
async fn transact_write(engine: &impl Engine) -> Result<Step, Unanswered> {
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

async fn batch_get(engine: &impl Engine) -> Result<Step, Unanswered> {
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

async fn delete(engine: &impl Engine) -> Result<Step, Unanswered> {
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

async fn delete_table(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    table::delete(&mut step, engine, TABLE).await?;
    Ok(step)
}

/// The pages of a Scan.
struct Scanned {
    step: Step,
    matching: usize,
}

async fn whole_scan(engine: &impl Engine, read: Read) -> Result<Scanned, Unanswered> {
    let mut pages = Scanned { step: Step::default(), matching: 0 };
    let mut next = Some(read);
    while let Some(read) = next {
        let Some(answer) = pages.step.ask(engine, Call::Scan(read.clone())).await? else { break };
        pages.matching += answer.count;
        pages.step.expect(
            "pages of a Scan without an end",
            pages.step.latencies_ms.len() > MOST_PAGES,
            false,
        );
        // An engine that never ends its pages is wrong, and not waited for.
        let goes_on = pages.step.latencies_ms.len() <= MOST_PAGES;
        next = answer.next.filter(|_| goes_on).map(|start| Read { start: Some(start), ..read });
    }
    Ok(pages)
}

/// Every index once, in an order that no engine stores: the factor has no divisor in common with the number of items.
fn scattered(index: usize) -> usize {
    index * 7_919 % SEEDED
}
