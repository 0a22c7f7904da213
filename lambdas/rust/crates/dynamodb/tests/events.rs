//! `lib/contract/cases/dynamodb-events.json`: how a function reads its event.
#![allow(clippy::expect_used, missing_docs)]

mod support;

use dynamodb::Operation;
use serde_json::{Value, json};
use support::cases;

const BOOT_ID: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in cases::read("dynamodb-events.json") {
        let name = cases::name(&case);
        match (Operation::read(&case["event"], BOOT_ID), case.get("parsed"), case.get("error")) {
            (Ok(operation), Some(parsed), None) => {
                assert_eq!(as_json(&operation), cases::with_boot_id(parsed, BOOT_ID), "{name}");
            }
            (Err(error), None, Some(expected)) => {
                let found = json!({ "field": error.field, "found": error.found, "allowed": error.allowed });
                assert_eq!(found, *expected, "{name}");
                let message = format!("{}: found {}; allowed: {}", error.field, error.found, error.allowed);
                assert_eq!(error.to_string(), message, "{name}");
            }
            (read, parsed, error) => panic!("{name}: read {read:?}; expected {parsed:?} or {error:?}"),
        }
    }
}

fn as_json(operation: &Operation) -> Value {
    let name = operation.name();
    match operation {
        Operation::Get { pk, sk } => json!({ "operation": name, "pk": pk, "sk": sk }),
        Operation::Put { pk } | Operation::Query { pk } => json!({ "operation": name, "pk": pk }),
        Operation::BatchWrite { pk, item_count } => {
            json!({ "operation": name, "pk": pk, "itemCount": item_count })
        }
    }
}
