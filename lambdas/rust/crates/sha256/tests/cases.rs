//! `lib/contract/cases/sha256-*.json`: how a function reads its event, and what it computes.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use bench_core::Boot;
use serde_json::{Value, json};
use sha256::{Function, Request, chain, leading_bits};

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in cases("sha256-events.json") {
        let name = &case["name"];
        match (Request::read(&case["event"]), case.get("parsed"), case.get("error")) {
            (Ok(Request { rounds }), Some(parsed), None) => {
                assert_eq!(json!({ "operation": Request::NAME, "rounds": rounds }), *parsed, "{name}");
            }
            (Err(error), None, Some(expected)) => {
                let found = json!({ "field": error.field, "found": error.found, "allowed": error.allowed });
                assert_eq!(found, *expected, "{name}");
            }
            (read, parsed, error) => panic!("{name}: read {read:?}; expected {parsed:?} or {error:?}"),
        }
    }
}

#[test]
fn every_chain_ends_as_the_contract_says() {
    for case in cases("sha256-operations.json") {
        let name = &case["name"];
        let result = Function::new("rust", Boot::new().unwrap()).invoke(&case["event"]).unwrap();
        let result = serde_json::to_value(result).unwrap();
        for (field, expected) in case["result"].as_object().unwrap() {
            assert_eq!(result[field], *expected, "{name}: {field}");
        }
        let mut keys: Vec<_> = result.as_object().unwrap().keys().collect();
        keys.sort_unstable();
        assert_eq!(json!(keys), case["resultKeys"], "{name}");
    }
}

#[test]
fn the_value_is_what_the_digest_begins_with() {
    let digest = chain(1);
    assert_eq!(digest[..6], [0x66, 0x68, 0x7a, 0xad, 0xf8, 0x62]);
    assert_eq!(leading_bits(digest), 0x6668_7aad_f862);
}

/// A file without any case fails the suite.
fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../lib/contract/cases").join(file);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert!(!cases.is_empty(), "{file}");
    cases.clone()
}
