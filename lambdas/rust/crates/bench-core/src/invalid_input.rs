use serde_json::Value;

/// A field of the event that cannot be used.
///
/// `Display` is the contract's message: `<field>: found <found>; allowed: <allowed>`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: found {found}; allowed: {allowed}")]
pub struct InvalidInput {
    /// The field's name as the caller wrote it, or `event` for the whole.
    pub field: String,
    /// The value found, as JSON, or `nothing`.
    pub found: String,
    /// `allowed` is what would have been right.
    pub allowed: String,
}

impl InvalidInput {
    /// `found` is shown as JSON, an absent value as `nothing`.
    pub fn new(field: impl Into<String>, found: Option<&Value>, allowed: impl Into<String>) -> Self {
        // This is the writer that results use: `Value::to_string` is 2.7 KB of code more. A value cannot fail.
        let as_json = |value| serde_json::to_string(value).unwrap_or_default();
        Self {
            field: field.into(),
            found: found.map_or_else(|| "nothing".into(), as_json),
            allowed: allowed.into(),
        }
    }
}
