//! Shared code of both functions: it puts an item.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use lambda_runtime::Error;
use serde_json::{Map, Value};

/// Returns the name of the table.
///
/// # Errors
/// Fails if `TABLE_NAME` is not set.
pub fn table_name() -> Result<String, Error> {
    Ok(std::env::var("TABLE_NAME")?)
}

/// Puts a JSON object as one item.
///
/// # Errors
/// Fails if the value is not an object, or if the SDK fails.
pub async fn put(client: &Client, table: &str, item: &Value) -> Result<(), Error> {
    let fields = item.as_object().ok_or("the item is no JSON object")?;
    client.put_item().table_name(table).set_item(Some(attributes(fields))).send().await?;
    Ok(())
}

fn attributes(fields: &Map<String, Value>) -> HashMap<String, AttributeValue> {
    fields.iter().map(|(name, value)| (name.clone(), attribute(value))).collect()
}

fn attribute(value: &Value) -> AttributeValue {
    match value {
        Value::Null => AttributeValue::Null(true),
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::Number(number) => AttributeValue::N(number.to_string()),
        Value::String(text) => AttributeValue::S(text.clone()),
        Value::Array(list) => AttributeValue::L(list.iter().map(attribute).collect()),
        Value::Object(fields) => AttributeValue::M(attributes(fields)),
    }
}
