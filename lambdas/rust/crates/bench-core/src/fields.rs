use serde_json::{Map, Value};

use crate::InvalidInput;

const HTTP: &str = "queryStringParameters";
const OPERATION: &str = "operation";
/// Short for `operation`, in the HTTP shape only.
const OP: &str = "op";

/// The fields of an event, whichever shape they came in.
///
/// A plain event holds them itself. In the HTTP shape of a function URL they stand under `queryStringParameters`,
/// where every value is text and `op` is accepted for `operation`.
#[derive(Debug)]
pub struct Fields<'a> {
    map: Option<&'a Map<String, Value>>,
    http: bool,
}

impl<'a> Fields<'a> {
    /// Takes the fields out of an event; `names` are those that the function knows.
    ///
    /// # Errors
    /// An event that is no object, a field that the function does not know, `operation` and `op` together.
    pub fn read(event: &'a Value, names: &[&str]) -> Result<Self, InvalidInput> {
        let Value::Object(outer) = event else {
            return Err(InvalidInput::new("event", Some(event), "a JSON object"));
        };
        let fields = match outer.get(HTTP) {
            None => Self { map: Some(outer), http: false },
            // API Gateway sends null when there are no parameters.
            Some(Value::Null) => Self { map: None, http: true },
            Some(Value::Object(inner)) => Self { map: Some(inner), http: true },
            Some(other) => return Err(InvalidInput::new(HTTP, Some(other), "a JSON object")),
        };
        fields.check_names(names)?;
        Ok(fields)
    }

    fn check_names(&self, names: &[&str]) -> Result<(), InvalidInput> {
        for (name, value) in self.map.into_iter().flatten() {
            let name = name.as_str();
            if self.http && name == OP {
                if self.get(OPERATION).is_some() {
                    return Err(InvalidInput::new(OP, Some(value), "operation or op, not both"));
                }
            } else if !names.contains(&name) {
                return Err(InvalidInput::new(name, Some(value), names.join(", ")));
            }
        }
        Ok(())
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.and_then(|map| map.get(name))
    }

    /// The operation: the one of `allowed` that the event names.
    ///
    /// # Errors
    /// No operation, or none of `allowed`.
    pub fn operation<'n>(&self, allowed: &[&'n str]) -> Result<&'n str, InvalidInput> {
        let found = self.get(OPERATION).or_else(|| if self.http { self.get(OP) } else { None });
        let name = found.and_then(Value::as_str);
        match allowed.iter().find(|known| name == Some(**known)) {
            Some(known) => Ok(known),
            None => Err(InvalidInput::new(OPERATION, found, allowed.join(", "))),
        }
    }

    /// Refuses a field that this operation does not read; `owner` names the operation that does.
    ///
    /// # Errors
    /// The field is there.
    pub fn refuse(&self, name: &str, owner: &str) -> Result<(), InvalidInput> {
        match self.get(name) {
            None => Ok(()),
            found => Err(InvalidInput::new(name, found, format!("only with {owner}"))),
        }
    }

    /// Text of 1 to `most` characters; absent is `None`.
    ///
    /// # Errors
    /// No text, or too short or long.
    pub fn text(&self, name: &str, most: usize) -> Result<Option<&'a str>, InvalidInput> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if (1..=most).contains(&text.chars().count()) => Ok(Some(text)),
            found => Err(InvalidInput::new(name, found, format!("text of 1 to {most} characters"))),
        }
    }

    /// A whole number from 1 to `most`, in the HTTP shape as text; absent is `None`.
    ///
    /// # Errors
    /// No whole number, or outside the range.
    pub fn count(&self, name: &str, most: u32) -> Result<Option<u32>, InvalidInput> {
        let found = self.get(name);
        let number = match found {
            None => return Ok(None),
            Some(Value::String(text)) if self.http => whole(text),
            // JSON Schema takes 3.0 for an integer.
            Some(value) => value.as_f64().filter(|number| number.fract() == 0.0),
        };
        match number {
            // A number in range is whole and small, so the conversion is exact.
            Some(number) if (1.0..=f64::from(most)).contains(&number) => Ok(Some(number as u32)),
            _ => Err(InvalidInput::new(name, found, format!("a whole number from 1 to {most}"))),
        }
    }
}

/// Digits alone: `parse` would take "+3" too.
fn whole(text: &str) -> Option<f64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok().map(f64::from)).flatten()
}

#[cfg(test)]
mod tests {
    use super::Fields;
    use serde_json::json;

    #[test]
    fn parameters_that_are_no_object_are_refused() {
        let error = Fields::read(&json!({ "queryStringParameters": "get" }), &["operation"]).unwrap_err();
        assert_eq!(error.to_string(), "queryStringParameters: found \"get\"; allowed: a JSON object");
    }

    #[test]
    fn a_number_as_text_is_taken_in_the_http_shape_only() {
        let count =
            |event| Fields::read(&event, &["itemCount"]).and_then(|fields| fields.count("itemCount", 25));
        assert_eq!(count(json!({ "queryStringParameters": { "itemCount": "7" } })).unwrap(), Some(7));
        assert!(count(json!({ "itemCount": "7" })).is_err());
        for text in ["", "+7", " 7", "7.0", "99999999999"] {
            assert!(count(json!({ "queryStringParameters": { "itemCount": text } })).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_key_is_measured_in_characters_and_not_in_bytes() {
        let length = |count| json!({ "pk": "é".repeat(count) });
        assert!(Fields::read(&length(256), &["pk"]).unwrap().text("pk", 256).is_ok());
        assert!(Fields::read(&length(257), &["pk"]).unwrap().text("pk", 256).is_err());
    }
}
