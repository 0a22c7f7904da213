//! `lib/contract/cases/compute-*.json`: how a function reads its event, and what it computes.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use bench_core::Boot;
use compute::{Function, Operation};
use serde_json::{Value, json};

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in cases("compute-events.json") {
        let name = &case["name"];
        match (Operation::read(&case["event"]), case.get("parsed"), case.get("error")) {
            (Ok(operation), Some(parsed), None) => assert_eq!(as_json(operation), *parsed, "{name}"),
            (Err(error), None, Some(expected)) => {
                let found = json!({ "field": error.field, "found": error.found, "allowed": error.allowed });
                assert_eq!(found, *expected, "{name}");
            }
            (read, parsed, error) => panic!("{name}: read {read:?}; expected {parsed:?} or {error:?}"),
        }
    }
}

#[test]
fn every_operation_computes_what_the_contract_says() {
    for case in cases("compute-operations.json") {
        let name = &case["name"];
        let result = Function::new("rust", Boot::new().unwrap()).invoke(&case["event"]).unwrap();
        let result = serde_json::to_value(result).unwrap();
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
fn the_invocations_of_a_process_are_counted_failed_ones_too() {
    let function = Function::new("rust", Boot::new().unwrap());
    assert!(function.invoke(&json!({ "operation": "fibonacci" })).is_err());
    let second = serde_json::to_value(function.invoke(&json!({ "operation": "noop" })).unwrap()).unwrap();
    assert_eq!((&second["invocation"], &second["coldStart"]), (&json!(1), &json!(false)));
}

/// A file without any case fails the suite.
fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../lib/contract/cases").join(file);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert!(!cases.is_empty(), "{file}");
    cases.clone()
}

fn as_json(operation: Operation) -> Value {
    let name = operation.name();
    match operation {
        Operation::Fibonacci { n } => json!({ "operation": name, "n": n }),
        Operation::Vector | Operation::Noop => json!({ "operation": name }),
    }
}
