//! `lib/contract/cases/dynamodb-operations.json`: what the operations do.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

mod support;

use bench_core::Boot;
use contract_cases::check_outcome;
use dynamodb::{Function, Item};
use serde_json::json;
use support::memory_table::MemoryTable;
use support::with_boot_id;

/// More than the seeded items: all fit into one page, as into DynamoDB's 1 MB.
const WHOLE_PARTITION: usize = 100;

fn function(table: &MemoryTable) -> Function<&MemoryTable> {
    Function::new("test", Boot::new().unwrap(), table)
}

// Time is paused, so pauses between batch calls take no time.
#[tokio::test(start_paused = true)]
async fn every_operation_does_what_the_contract_says() {
    for case in contract_cases::read("dynamodb-operations.json") {
        let name = &case["name"];
        let unprocessed = serde_json::from_value(case["unprocessed"].clone()).unwrap_or_default();
        let table = MemoryTable::seeded(unprocessed, WHOLE_PARTITION);
        let result = check_outcome(&case, function(&table).invoke(&case["event"]).await);
        if let (Some(result), Some(expected)) = (result, case.get("written")) {
            let boot_id = result["bootId"].as_str().unwrap();
            assert_eq!(json!(*table.written.borrow()), with_boot_id(expected, boot_id), "{name}");
        }
        assert_eq!(json!(*table.calls.borrow()), case["calls"], "{name}");
    }
}

#[tokio::test]
async fn a_query_sums_every_page() {
    let table = MemoryTable::seeded(vec![], 10);
    let result = function(&table).invoke(&json!({ "operation": "query" })).await;
    assert_eq!(serde_json::to_value(result.unwrap()).unwrap()["itemsCount"], 25);
    assert_eq!(table.calls.borrow().len(), 3);
}

#[tokio::test]
async fn a_query_goes_on_after_a_full_page_that_names_a_next() {
    let table = MemoryTable::seeded(vec![], 25);
    let result = function(&table).invoke(&json!({ "operation": "query" })).await;
    assert_eq!(serde_json::to_value(result.unwrap()).unwrap()["itemsCount"], 25);
    assert_eq!(table.calls.borrow().len(), 2);
}

#[tokio::test]
async fn the_sdk_time_is_that_of_the_calls_alone_and_inside_the_duration() {
    let table = MemoryTable::seeded(vec![3], WHOLE_PARTITION);
    let result = function(&table).invoke(&json!({ "operation": "batch_write" })).await;
    let result = serde_json::to_value(result.unwrap()).unwrap();
    let (whole, calls) = (result["durationMs"].as_f64().unwrap(), result["sdkCallMs"].as_f64().unwrap());
    assert!((calls - bench_core::milliseconds(table.time.get())).abs() < 1e-9);
    assert!(whole >= calls + 10.0, "the pause before the second call is in {whole} and not in {calls}");
}

#[tokio::test]
async fn later_invocations_count_on_and_write_under_their_own_number() {
    let table = MemoryTable::seeded(vec![], WHOLE_PARTITION);
    let function = function(&table);
    // A failed invocation is counted too, because Lambda invoked the process.
    assert!(function.invoke(&json!({ "operation": "delete" })).await.is_err());
    let result =
        serde_json::to_value(function.invoke(&json!({ "operation": "put" })).await.unwrap()).unwrap();
    assert_eq!((&result["invocation"], &result["coldStart"]), (&json!(1), &json!(false)));
    assert_eq!(table.written.borrow()[0][1], "item-1");
}

#[test]
fn an_item_carries_1000_characters_and_a_time() {
    let item = Item::new("a".into(), "b".into());
    assert_eq!(item.data.chars().count(), 1_000);
    assert!(item.timestamp > 1_700_000_000_000);
}
