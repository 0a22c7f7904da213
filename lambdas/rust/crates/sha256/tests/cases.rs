//! `lib/contract/cases/sha256-*.json`: how a function parses its event, and what it computes.
#![allow(clippy::unwrap_used, missing_docs)]

use bench_core::Boot;
use contract_cases::{check_event, check_outcome};
use serde_json::json;
use sha256::{Function, Request, chain, leading_bits};

#[test]
fn every_event_is_read_as_the_contract_says() {
    for case in contract_cases::read("sha256-events.json") {
        let as_json = |Request { rounds }| json!({ "operation": Request::NAME, "rounds": rounds });
        check_event(&case, Request::read(&case["event"]).map(as_json));
    }
}

#[test]
fn every_chain_ends_as_the_contract_says() {
    for case in contract_cases::read("sha256-operations.json") {
        check_outcome(&case, Function::new("rust", Boot::new().unwrap()).invoke(&case["event"]));
    }
}

#[test]
fn the_value_is_what_the_digest_begins_with() {
    let digest = chain(1);
    assert_eq!(digest[..6], [0x66, 0x68, 0x7a, 0xad, 0xf8, 0x62]);
    assert_eq!(leading_bits(digest), 0x6668_7aad_f862);
}
