use serde_json::Value;

/// An invalid field of the event.
///
/// `Display` is the contract's message: `<field>: found <found>; allowed: <allowed>`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: found {found}; allowed: {allowed}")]
pub struct InvalidInput {
    /// The field's name as in the event, or `event` for the whole event.
    pub field: String,
    /// The value found, as JSON, or `nothing`.
    pub found: String,
    /// Description of the allowed values.
    pub allowed: String,
}

impl InvalidInput {
    /// `found` is printed as JSON; an absent value as `nothing`.
    pub fn new(field: impl Into<String>, found: Option<&Value>, allowed: impl Into<String>) -> Self {
        // Uses the serializer that results use: `Value::to_string` would add 2.7 KB of code. It cannot fail for a
        // value.
        let as_json = |value| serde_json::to_string(value).unwrap_or_default();
        Self {
            field: field.into(),
            found: found.map_or_else(|| "nothing".into(), as_json),
            allowed: allowed.into(),
        }
    }
}
