//! For tests: reads the cases of `lib/contract/cases`, which functions of every language run.

use std::fmt::Debug;
use std::path::Path;

use bench_core::{ErrorType, InvalidInput};
use serde::Serialize;
use serde_json::{Value, json};

/// Returns the cases of one file.
///
/// # Panics
/// If the file cannot be read or has no case: a suite must not pass without any.
#[must_use]
pub fn read(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../lib/contract/cases").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    match document["cases"].as_array() {
        Some(cases) if !cases.is_empty() => cases.clone(),
        _ => panic!("{file}: found no cases"),
    }
}

/// Compares a parsed event with the case's `parsed`, or the error and its message with `error`.
///
/// # Panics
/// If they differ.
pub fn check_event(case: &Value, read: Result<Value, InvalidInput>) {
    let name = &case["name"];
    match (read, case.get("parsed"), case.get("error")) {
        (Ok(read), Some(parsed), None) => assert_eq!(read, *parsed, "{name}"),
        (Err(error), None, Some(expected)) => {
            let InvalidInput { field, found, allowed } = &error;
            assert_eq!(json!({ "field": field, "found": found, "allowed": allowed }), *expected, "{name}");
            assert_eq!(error.to_string(), format!("{field}: found {found}; allowed: {allowed}"), "{name}");
        }
        (read, parsed, error) => panic!("{name}: read {read:?}; expected {parsed:?} or {error:?}"),
    }
}

/// Compares the outcome of an event with the case's `error`, or with `result` and `resultKeys`, the names of all
/// fields. Returns the result, if there is one.
///
/// # Panics
/// If they differ.
pub fn check_outcome<Answer, Failure>(case: &Value, outcome: Result<Answer, Failure>) -> Option<Value>
where
    Answer: Serialize + Debug,
    Failure: ErrorType,
{
    let name = &case["name"];
    match (outcome, case.get("error")) {
        (Ok(result), None) => {
            let result = json!(result);
            check_fields(case, &result);
            Some(result)
        }
        (Err(error), Some(expected)) => {
            assert_eq!(error.error_type(), expected["type"], "{name}");
            let part = expected["message"].as_str().unwrap_or_else(|| panic!("{name}: no message"));
            assert!(error.to_string().contains(part), "{name}: found {error}; expected {part}");
            None
        }
        (Ok(result), Some(expected)) => panic!("{name}: found {result:?}; expected {expected}"),
        (Err(error), None) => panic!("{name}: {error}"),
    }
}

fn check_fields(case: &Value, result: &Value) {
    let name = &case["name"];
    let (Some(expected), Some(found)) = (case["result"].as_object(), result.as_object()) else {
        panic!("{name}: found {result}; expected {}", case["result"]);
    };
    for (field, expected) in expected {
        assert_eq!(result[field], *expected, "{name}: {field}");
    }
    let mut keys: Vec<_> = found.keys().collect();
    keys.sort_unstable();
    assert_eq!(json!(keys), case["resultKeys"], "{name}");
}
