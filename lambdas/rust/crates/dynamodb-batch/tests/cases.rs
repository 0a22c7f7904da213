//! `lib/contract/cases/dynamodb-batch-*.json`: how a function parses its event, and what it does.
#![allow(clippy::unwrap_used, missing_docs)]

use std::cell::RefCell;

use bench_core::{Boot, CallError, Stopwatch, Timed};
use contract_cases::{check_event, check_outcome};
use dynamodb_batch::{Batches, Error, Function, Item};
use serde_json::json;

/// An in-memory table that leaves items unprocessed or corrupts them, as a case requires.
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
        // Reversed: DynamoDB guarantees no order.
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
    for case in contract_cases::read("dynamodb-batch-events.json") {
        let read = match function(&MemoryBatches::default()).invoke(&case["event"]).await {
            Ok(result) => Ok(json!({ "operation": json!(result)["operation"] })),
            Err(Error::InvalidInput(error)) => Err(error),
            Err(error) => panic!("{}: {error}", case["name"]),
        };
        check_event(&case, read);
    }
}

#[tokio::test]
async fn every_operation_does_what_the_contract_says() {
    for case in contract_cases::read("dynamodb-batch-operations.json") {
        let name = &case["name"];
        let number = |field: &str| case[field].as_u64().unwrap_or(0) as usize;
        let table = MemoryBatches {
            unprocessed: number("unprocessed"),
            spoilt: number("spoilt"),
            ..MemoryBatches::default()
        };
        if let Some(result) = check_outcome(&case, function(&table).invoke(&case["event"]).await) {
            let boot_id = result["bootId"].as_str().unwrap();
            let written = table.items.borrow();
            let keys: Vec<_> =
                written.iter().map(|item| [item.pk.replace(boot_id, "<bootId>"), item.sk.clone()]).collect();
            assert_eq!(json!(keys), case["written"], "{name}");
        }
        assert_eq!(json!(*table.calls.borrow()), case["calls"], "{name}");
    }
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
    // Two numbers of at most 21 bytes and a boolean of one.
    assert!(names + texts + 43 < 300);
}
