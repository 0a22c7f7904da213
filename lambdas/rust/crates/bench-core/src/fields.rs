use serde_json::{Map, Value};

use crate::InvalidInput;

const HTTP: &str = "queryStringParameters";
const OPERATION: &str = "operation";
/// Short for `operation`, in the HTTP shape only.
const OP: &str = "op";

/// The fields of an event in either shape.
///
/// A plain event contains them directly. In the HTTP shape of a function URL they are under `queryStringParameters`,
/// where every value is a string and `op` means `operation`.
#[derive(Debug)]
pub struct Fields<'a> {
    map: Option<&'a Map<String, Value>>,
    http: bool,
}

impl<'a> Fields<'a> {
    /// Reads the fields of an event; `names` are the known ones.
    ///
    /// # Errors
    /// When the event is not an object, has an unknown field, or has both `operation` and `op`.
    pub fn read(event: &'a Value, names: &[&str]) -> Result<Self, InvalidInput> {
        let Value::Object(outer) = event else {
            return Err(InvalidInput::new("event", Some(event), "a JSON object"));
        };
        let fields = match outer.get(HTTP) {
            None => Self { map: Some(outer), http: false },
            // API Gateway sends null if there are no parameters.
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

    /// Returns the operation that the event names.
    ///
    /// # Errors
    /// When there is none, or it is not in `allowed`.
    pub fn operation<'n>(&self, allowed: &[&'n str]) -> Result<&'n str, InvalidInput> {
        let found = self.get(OPERATION).or_else(|| if self.http { self.get(OP) } else { None });
        let name = found.and_then(Value::as_str);
        match allowed.iter().find(|known| name == Some(**known)) {
            Some(known) => Ok(known),
            None => Err(InvalidInput::new(OPERATION, found, allowed.join(", "))),
        }
    }

    /// Refuses a field that only the operation `owner` reads.
    ///
    /// # Errors
    /// When the field is present.
    pub fn refuse(&self, name: &str, owner: &str) -> Result<(), InvalidInput> {
        match self.get(name) {
            None => Ok(()),
            found => Err(InvalidInput::new(name, found, format!("only with {owner}"))),
        }
    }

    /// Returns a string of 1 to `most` characters, or `None` if absent.
    ///
    /// # Errors
    /// When it is not a string, or too short or too long.
    pub fn text(&self, name: &str, most: usize) -> Result<Option<&'a str>, InvalidInput> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if (1..=most).contains(&text.chars().count()) => Ok(Some(text)),
            found => Err(InvalidInput::new(name, found, format!("text of 1 to {most} characters"))),
        }
    }

    /// Returns a whole number from 1 to `most` (a string in the HTTP shape), or `None` if absent.
    ///
    /// # Errors
    /// When it is not a whole number, or out of range.
    pub fn count(&self, name: &str, most: u32) -> Result<Option<u32>, InvalidInput> {
        let found = self.get(name);
        let number = match found {
            None => return Ok(None),
            Some(Value::String(text)) if self.http => whole(text),
            // In JSON Schema, 3.0 is an integer.
            Some(value) => value.as_f64().filter(|number| number.fract() == 0.0),
        };
        match number {
            // The conversion is exact, because the number is whole and small.
            Some(number) if (1.0..=f64::from(most)).contains(&number) => Ok(Some(number as u32)),
            _ => Err(InvalidInput::new(name, found, format!("a whole number from 1 to {most}"))),
        }
    }
}

/// Accepts only digits: `parse` would also accept "+3".
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
