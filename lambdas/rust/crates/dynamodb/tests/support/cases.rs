use std::path::Path;

use serde_json::Value;

/// The cases of one file of `lib/contract/cases`; a file without any fails the suite.
pub fn read(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../lib/contract/cases").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    match document["cases"].as_array() {
        Some(cases) if !cases.is_empty() => cases.clone(),
        _ => panic!("{file}: found no cases"),
    }
}

/// A case's name, for the failure's message.
pub fn name(case: &Value) -> &str {
    case["name"].as_str().unwrap_or("a case without a name")
}

/// The case's text with the process's boot id in the place of `<bootId>`.
pub fn with_boot_id(value: &Value, boot_id: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace("<bootId>", boot_id)),
        Value::Array(values) => values.iter().map(|value| with_boot_id(value, boot_id)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), with_boot_id(value, boot_id))).collect()
        }
        other => other.clone(),
    }
}
