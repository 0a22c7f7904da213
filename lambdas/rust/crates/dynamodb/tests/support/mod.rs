//! Shared by both contract suites: an in-memory table, and the cases' boot id.

pub mod memory_table;

use serde_json::Value;

/// Replaces `<bootId>` in a case with the process's boot id.
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
