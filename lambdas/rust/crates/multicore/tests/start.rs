//! Tests of the process's start and of its failures.
#![allow(clippy::unwrap_used, missing_docs)]

use std::process::Command;

#[test]
fn a_bad_worker_count_ends_the_process_before_the_runtime_and_says_what_is_allowed() {
    let output = Command::new(env!("CARGO_BIN_EXE_multicore-rust"))
        .env_clear()
        .env("WORKER_COUNT", "7")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "WORKER_COUNT: found \"7\"; allowed: a whole number from 1 to 6\n");
}
