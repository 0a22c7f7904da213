//! `lib/contract/cases/multicore-*.json`: how a function parses its event, and what it hashes.
#![allow(clippy::unwrap_used, missing_docs)]

use bench_core::{Boot, InvalidInput};
use contract_cases::{check_event, check_outcome};
use multicore::{BcryptCrate, Function, Hashed, Request, Workers};
use serde_json::{Value, json};

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in contract_cases::read("multicore-events.json") {
        check_event(&case, Request::read(&case["event"]).map(as_json));
    }
}

#[test]
fn every_operation_does_what_the_contract_says() {
    for case in contract_cases::read("multicore-operations.json") {
        check_outcome(&case, invoke(&case["workers"].to_string(), &case["event"]));
    }
}

#[test]
fn the_hashes_are_the_same_however_they_are_spread() {
    let values = ["1", "2", "5"].map(|workers| {
        ["sequential", "parallel", "auto"].map(|mode| answer(workers, &json!({ "count": 7, "mode": mode })))
    });
    let values: Vec<_> = values.iter().flatten().map(|result| &result["value"]).collect();
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
}

#[test]
fn enough_work_reaches_every_thread_of_the_pool() {
    let result = answer("3", &json!({ "count": 30, "mode": "parallel" }));
    assert_eq!(result["threadsUsed"], 3);
    let average = result["durationMs"].as_f64().unwrap() / 30.0;
    assert!((result["avgMsPerItem"].as_f64().unwrap() - average).abs() < 1e-9);
}

fn answer(workers: &str, event: &Value) -> Value {
    json!(invoke(workers, event).unwrap())
}

fn invoke(workers: &str, event: &Value) -> Result<Hashed, InvalidInput> {
    let workers = Workers::counted(Some(workers.into())).unwrap();
    Function::<BcryptCrate>::new("rust", Boot::new().unwrap(), workers).invoke(event)
}

fn as_json(request: Request) -> Value {
    let name = request.name();
    match request {
        Request::Hash { count, mode } => json!({ "operation": name, "count": count, "mode": mode.name() }),
        Request::Noop => json!({ "operation": name }),
    }
}
