//! Tests of all variants of the experiment, with a fake table and endpoint.
#![allow(clippy::unwrap_used, missing_docs)]

use std::cell::RefCell;
use std::time::Duration;

use bench_core::{Boot, CallError, ConnectionTimes, ErrorType, Timed};
use dynamodb::{Item, Page, Table};
use first_request::{Connect, ConnectionError, Function};
use serde_json::{Value, json};

const CALL: Duration = Duration::from_millis(2);

/// Records the steps in order; its only item is the seeded one.
#[derive(Default)]
struct Record(RefCell<Vec<String>>);

impl Table for &Record {
    type Cursor = ();
    type Write = ();

    async fn get(&self, pk: &str, sk: &str) -> Result<Timed<bool>, CallError> {
        self.0.borrow_mut().push(format!("get {pk} {sk}"));
        Ok(Timed { value: (pk, sk) == ("seed", "item-00"), time: CALL })
    }

    fn write(&self, _: Item) -> Result<(), CallError> {
        unreachable!()
    }

    async fn put(&self, _: Item) -> Result<Timed<()>, CallError> {
        unreachable!()
    }

    async fn query(&self, _: &str, _: Option<()>) -> Result<Timed<Page<()>>, CallError> {
        unreachable!()
    }

    async fn batch_write(&self, _: Vec<()>) -> Result<Timed<Vec<()>>, CallError> {
        unreachable!()
    }
}

impl Connect for &Record {
    async fn connect(&self) -> Result<ConnectionTimes, ConnectionError> {
        let before = self.0.borrow().len() as u64;
        self.0.borrow_mut().push("connect".into());
        let time = Duration::from_millis(10 - before);
        Ok(ConnectionTimes { dns: time, tcp: time, tls: time })
    }
}

struct Refused;

impl Connect for Refused {
    async fn connect(&self) -> Result<ConnectionTimes, ConnectionError> {
        Err(ConnectionError { step: "TCP", host: "localhost:1".into(), message: "refused".into() })
    }
}

fn boot() -> Boot {
    Boot::new().unwrap()
}

fn get() -> Value {
    json!({ "operation": "get" })
}

#[tokio::test]
async fn a_variant_without_steps_makes_one_call_and_tells_its_time() {
    let record = Record::default();
    let result = Function::new("unwarmed", boot(), &record).invoke(&get()).await.unwrap();
    let result = serde_json::to_value(result).unwrap();
    assert_eq!(*record.0.borrow(), ["get seed item-00"]);
    assert_eq!((&result["variant"], &result["operation"]), (&json!("unwarmed"), &json!("get")));
    assert_eq!((&result["sdkCallMs"], &result["itemsCount"]), (&json!(2.0), &json!(1)));
    assert!(result.get("connections").is_none());
}

#[tokio::test]
async fn breakdown_connects_twice_before_its_call_on_every_invocation() {
    let record = Record::default();
    let function = Function::after(&record, "breakdown", boot(), &record);
    let result = serde_json::to_value(function.invoke(&get()).await.unwrap()).unwrap();
    assert_eq!(result["connections"][0]["tlsMs"], 10.0);
    assert_eq!(result["connections"][1]["tlsMs"], 9.0);
    function.invoke(&get()).await.unwrap();
    let once = ["connect", "connect", "get seed item-00"];
    assert_eq!(*record.0.borrow(), [once, once].concat());
}

#[tokio::test]
async fn a_connection_that_fails_is_the_invocations_error_and_nothing_is_called() {
    let record = Record::default();
    let error = Function::after(Refused, "breakdown", boot(), &record).invoke(&get()).await.unwrap_err();
    assert_eq!(
        (error.error_type(), error.to_string()),
        ("ConnectionFailed", "TCP to localhost:1: refused".into())
    );
    assert!(record.0.borrow().is_empty());
}

#[tokio::test]
async fn an_item_that_is_not_there_is_an_error() {
    let record = Record::default();
    let event = json!({ "operation": "get", "sk": "item-99" });
    let error = Function::new("unwarmed", boot(), &record).invoke(&event).await.unwrap_err();
    assert_eq!(error.error_type(), "ItemNotFound");
    assert!(error.to_string().contains("\"item-99\""), "{error}");
}

#[tokio::test]
async fn an_invocation_that_failed_counts_too() {
    let record = Record::default();
    let function = Function::new("unwarmed", boot(), &record);
    assert!(function.invoke(&json!({ "operation": "query" })).await.is_err());
    let result = serde_json::to_value(function.invoke(&get()).await.unwrap()).unwrap();
    assert_eq!((&result["invocation"], &result["coldStart"]), (&json!(1), &json!(false)));
}
