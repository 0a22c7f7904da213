pub mod memory_bucket;

use std::path::Path;

use serde_json::Value;

/// A file without any case fails the suite.
pub fn cases(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../lib/contract/cases").join(file);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert!(!cases.is_empty(), "{file}");
    cases.clone()
}
