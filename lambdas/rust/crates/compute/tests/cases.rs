//! `lib/contract/cases/compute-*.json`: how a function parses its event, and what it computes.
#![allow(clippy::unwrap_used, missing_docs)]

use bench_core::Boot;
use compute::{Function, Operation};
use contract_cases::{check_event, check_outcome};
use serde_json::{Value, json};

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in contract_cases::read("compute-events.json") {
        check_event(&case, Operation::read(&case["event"]).map(as_json));
    }
}

#[test]
fn every_operation_computes_what_the_contract_says() {
    for case in contract_cases::read("compute-operations.json") {
        check_outcome(&case, Function::new("rust", Boot::new().unwrap()).invoke(&case["event"]));
    }
}

#[test]
fn the_invocations_of_a_process_are_counted_failed_ones_too() {
    let function = Function::new("rust", Boot::new().unwrap());
    assert!(function.invoke(&json!({ "operation": "fibonacci" })).is_err());
    let second = serde_json::to_value(function.invoke(&json!({ "operation": "noop" })).unwrap()).unwrap();
    assert_eq!((&second["invocation"], &second["coldStart"]), (&json!(1), &json!(false)));
}

fn as_json(operation: Operation) -> Value {
    let name = operation.name();
    match operation {
        Operation::Fibonacci { n } => json!({ "operation": name, "n": n }),
        Operation::Vector | Operation::Noop => json!({ "operation": name }),
    }
}
