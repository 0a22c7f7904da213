//! Reads items by partition or by the index.

use crate::call::{Attribute, Call, Engine, Read};
use crate::items::{self, EMAIL_INDEX, PER_EMAIL, PER_PARTITION, expression, number, text};
use crate::step::{Step, Unanswered};
use crate::workload::TABLE;

const QUERIES: usize = 100;
const PAGINATED: usize = 50;
const PAGE: usize = 10;

/// Queries the upper half of a partition, filtered to active items.
pub async fn query(engine: &impl Engine) -> Result<Step, Unanswered> {
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

pub async fn query_index(engine: &impl Engine) -> Result<Step, Unanswered> {
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

/// Records one time per partition, for all of its pages.
pub async fn query_paginated(engine: &impl Engine) -> Result<Step, Unanswered> {
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
