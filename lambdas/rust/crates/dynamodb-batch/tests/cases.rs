//! `lib/contract/cases/dynamodb-batch-*.json`: how a function reads its event, and what it does.
#![allow(clippy::unwrap_used, missing_docs)]

use std::cell::RefCell;
use std::path::Path;

use bench_core::{Boot, CallError, ErrorType, Stopwatch, Timed};
use dynamodb_batch::{Batches, Error, Function, Item};
use serde_json::{Value, json};

/// The table in memory: it leaves items unprocessed, or spoils them, where a case says so.
#[derive(Default)]
struct MemoryBatches {
    items: RefCell<Vec<Item>>,
    unprocessed: usize,
    spoilt: usize,
    calls: RefCell<Vec<&'static str>>,
}

impl Batches for &MemoryBatches {
    async fn write(&self, items: &[Item]) -> Result<Timed<usize>, CallError> {
        self.calls.borrow_mut().push("batch_write");
        let kept = items.len() - self.unprocessed;
        self.items.borrow_mut().extend_from_slice(&items[..kept]);
        Ok(Stopwatch::start().timed(self.unprocessed))
    }

    async fn read(&self, items: &[Item]) -> Result<Timed<Vec<Item>>, CallError> {
        self.calls.borrow_mut().push("batch_get");
        let stored = self.items.borrow();
        // Backwards: DynamoDB promises no order.
        let found = stored.iter().rev().filter(|stored| items.iter().any(|item| item.sk == stored.sk));
        let mut found: Vec<_> = found.cloned().collect();
        found.iter_mut().take(self.spoilt).for_each(|item| item.price += 1);
        Ok(Stopwatch::start().timed(found))
    }
}

fn function(table: &MemoryBatches) -> Function<&MemoryBatches> {
    Function::new("test", Boot::new().unwrap(), table)
}

#[tokio::test]
async fn every_event_is_read_as_the_contract_says() {
    for case in cases("dynamodb-batch-events.json") {
        let name = &case["name"];
        match (function(&MemoryBatches::default()).invoke(&case["event"]).await, case.get("error")) {
            (Ok(_), None) => {}
            (Err(Error::InvalidInput(error)), Some(expected)) => {
                let found = json!({ "field": error.field, "found": error.found, "allowed": error.allowed });
                assert_eq!(found, *expected, "{name}");
            }
            (read, error) => panic!("{name}: read {read:?}; expected {error:?}"),
        }
    }
}

#[tokio::test]
async fn every_operation_does_what_the_contract_says() {
    for case in cases("dynamodb-batch-operations.json") {
        let name = &case["name"];
        let number = |field: &str| case[field].as_u64().unwrap_or(0) as usize;
        let table = MemoryBatches {
            unprocessed: number("unprocessed"),
            spoilt: number("spoilt"),
            ..MemoryBatches::default()
        };
        match (function(&table).invoke(&case["event"]).await, case.get("error")) {
            (Ok(result), None) => check_result(&case, &serde_json::to_value(result).unwrap(), &table),
            (Err(error), Some(expected)) => {
                assert_eq!(error.error_type(), expected["type"], "{name}");
                assert!(error.to_string().contains(expected["message"].as_str().unwrap()), "{name}: {error}");
            }
            (outcome, expected) => panic!("{name}: found {outcome:?}; expected error {expected:?}"),
        }
        assert_eq!(json!(*table.calls.borrow()), case["calls"], "{name}");
    }
}

fn check_result(case: &Value, result: &Value, table: &MemoryBatches) {
    let name = &case["name"];
    for (field, expected) in case["result"].as_object().unwrap() {
        assert_eq!(result[field], *expected, "{name}: {field}");
    }
    let mut keys: Vec<_> = result.as_object().unwrap().keys().collect();
    keys.sort_unstable();
    assert_eq!(json!(keys), case["resultKeys"], "{name}");
    let boot_id = result["bootId"].as_str().unwrap();
    let written = table.items.borrow();
    let keys: Vec<_> =
        written.iter().map(|item| [item.pk.replace(boot_id, "<bootId>"), item.sk.clone()]).collect();
    assert_eq!(json!(keys), case["written"], "{name}");
}

#[tokio::test]
async fn later_invocations_write_under_their_own_number() {
    let table = MemoryBatches::default();
    let function = function(&table);
    let event = json!({ "operation": "batch_write_get" });
    for _ in 0..2 {
        function.invoke(&event).await.unwrap();
    }
    assert_eq!(table.items.borrow()[5].sk, "item-1-0");
}

#[test]
fn an_item_has_less_than_300_bytes() {
    let Item { pk, sk, name, category, description, .. } =
        Item::new("batch-0123456789abcdef0123456789abcdef", "item-1000-4".into(), 4);
    let names = "pk sk name category description price quantity available".len() - 7;
    let texts = [pk, sk, name, category, description].iter().map(String::len).sum::<usize>();
    // Two numbers of at most 21 bytes and a truth value of one.
    assert!(names + texts + 43 < 300);
}

/// A file without any case fails the suite.
fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../lib/contract/cases").join(file);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert!(!cases.is_empty(), "{file}");
    cases.clone()
}
