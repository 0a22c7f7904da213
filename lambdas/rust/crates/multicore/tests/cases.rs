//! `lib/contract/cases/multicore-*.json`: how a function reads its event, and what it hashes.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use bench_core::Boot;
use multicore::{BcryptCrate, Function, Request, Workers};
use serde_json::{Value, json};

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in cases("multicore-events.json") {
        let name = &case["name"];
        match (Request::read(&case["event"]), case.get("parsed"), case.get("error")) {
            (Ok(request), Some(parsed), None) => assert_eq!(as_json(request), *parsed, "{name}"),
            (Err(error), None, Some(expected)) => {
                let found = json!({ "field": error.field, "found": error.found, "allowed": error.allowed });
                assert_eq!(found, *expected, "{name}");
            }
            (read, parsed, error) => panic!("{name}: read {read:?}; expected {parsed:?} or {error:?}"),
        }
    }
}

#[test]
fn every_operation_does_what_the_contract_says() {
    for case in cases("multicore-operations.json") {
        let name = &case["name"];
        let workers = case["workers"].to_string();
        let result = invoke(&workers, &case["event"]);
        for (field, expected) in case["result"].as_object().unwrap() {
            assert_eq!(result[field], *expected, "{name}: {field}");
        }
        let mut keys: Vec<_> = result.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        let expected: Vec<_> =
            case["resultKeys"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(keys, expected, "{name}");
    }
}

#[test]
fn the_hashes_are_the_same_however_they_are_spread() {
    let values = ["1", "2", "5"].map(|workers| {
        ["sequential", "parallel", "auto"].map(|mode| invoke(workers, &json!({ "count": 7, "mode": mode })))
    });
    let values: Vec<_> = values.iter().flatten().map(|result| &result["value"]).collect();
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
}

#[test]
fn enough_work_reaches_every_thread_of_the_pool() {
    let result = invoke("3", &json!({ "count": 30, "mode": "parallel" }));
    assert_eq!(result["threadsUsed"], 3);
    let average = result["durationMs"].as_f64().unwrap() / 30.0;
    assert!((result["avgMsPerItem"].as_f64().unwrap() - average).abs() < 1e-9);
}

fn invoke(workers: &str, event: &Value) -> Value {
    let workers = Workers::counted(Some(workers.into())).unwrap();
    let function = Function::<BcryptCrate>::new("rust", Boot::new().unwrap(), workers);
    serde_json::to_value(function.invoke(event).unwrap()).unwrap()
}

/// A file without any case fails the suite.
fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../lib/contract/cases").join(file);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert!(!cases.is_empty(), "{file}");
    cases.clone()
}

fn as_json(request: Request) -> Value {
    let name = request.name();
    match request {
        Request::Hash { count, mode } => json!({ "operation": name, "count": count, "mode": mode.name() }),
        Request::Noop => json!({ "operation": name }),
    }
}
