use bench_core::{Fields, InvalidInput};
use serde_json::Value;

/// The only operation, both cold and warm.
pub(crate) const OPERATION: &str = "get";

const FIELDS: [&str; 3] = ["operation", "pk", "sk"];
const LONGEST_KEY: usize = 256;

/// Key of the item that an event requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemKey {
    /// Partition key.
    pub pk: String,
    /// Sort key.
    pub sk: String,
}

impl ItemKey {
    /// Returns the first seeded item, which warm-ups and events without a key read.
    #[must_use]
    pub fn seeded() -> Self {
        Self { pk: "seed".into(), sk: "item-00".into() }
    }

    /// Parses an event, plain or in the HTTP shape.
    ///
    /// # Errors
    /// On the first invalid field, or any operation but `get`.
    pub fn read(event: &Value) -> Result<Self, InvalidInput> {
        let fields = Fields::read(event, &FIELDS)?;
        fields.operation(&[OPERATION])?;
        let seeded = Self::seeded();
        let text = |name| fields.text(name, LONGEST_KEY);
        Ok(Self {
            pk: text("pk")?.map_or(seeded.pk, String::from),
            sk: text("sk")?.map_or(seeded.sk, String::from),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ItemKey;
    use serde_json::json;

    #[test]
    fn an_event_without_a_key_means_the_first_seeded_item() {
        for event in [json!({ "operation": "get" }), json!({ "queryStringParameters": { "op": "get" } })] {
            assert_eq!(ItemKey::read(&event).unwrap(), ItemKey::seeded());
        }
    }

    #[test]
    fn an_event_may_name_another_item() {
        let key = ItemKey::read(&json!({ "operation": "get", "pk": "a", "sk": "b" })).unwrap();
        assert_eq!(key, ItemKey { pk: "a".into(), sk: "b".into() });
    }

    #[test]
    fn any_operation_but_get_is_refused() {
        let refused = |event| ItemKey::read(&event).unwrap_err().to_string();
        assert_eq!(refused(json!({})), "operation: found nothing; allowed: get");
        assert_eq!(refused(json!({ "operation": "put" })), "operation: found \"put\"; allowed: get");
    }

    #[test]
    fn a_field_of_another_experiment_is_refused() {
        let error = ItemKey::read(&json!({ "operation": "get", "itemCount": 3 })).unwrap_err();
        assert_eq!(error.to_string(), "itemCount: found 3; allowed: operation, pk, sk");
    }
}
