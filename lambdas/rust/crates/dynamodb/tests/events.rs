//! `lib/contract/cases/dynamodb-events.json`: how a function parses its event.
#![allow(clippy::expect_used, missing_docs)]

mod support;

use contract_cases::check_event;
use dynamodb::Operation;
use serde_json::{Value, json};
use support::with_boot_id;

const BOOT_ID: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in contract_cases::read("dynamodb-events.json") {
        let read = Operation::read(&case["event"], BOOT_ID).map(|operation| as_json(&operation));
        check_event(&with_boot_id(&case, BOOT_ID), read);
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
