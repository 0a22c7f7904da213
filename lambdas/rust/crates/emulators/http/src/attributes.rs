use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use emulators::{Attribute, Item};

/// An item of the SDK.
pub type SdkItem = HashMap<String, AttributeValue>;

/// Converts an item for a request, before the timed call.
pub fn sdk_item(item: Item) -> SdkItem {
    item.into_iter().map(|(name, value)| (name, sdk_value(value))).collect()
}

/// Converts an item of a response, after the timed call.
pub fn item_of(item: SdkItem) -> Item {
    item.into_iter().map(|(name, value)| (name, attribute(value))).collect()
}

fn sdk_value(value: Attribute) -> AttributeValue {
    match value {
        Attribute::S(text) => AttributeValue::S(text),
        Attribute::N(number) => AttributeValue::N(number),
        Attribute::B(bytes) => AttributeValue::B(Blob::new(bytes)),
        Attribute::Bool(is) => AttributeValue::Bool(is),
        Attribute::L(values) => AttributeValue::L(values.into_iter().map(sdk_value).collect()),
        Attribute::M(map) => AttributeValue::M(sdk_item(map)),
        Attribute::Other => AttributeValue::Null(true),
    }
}

fn attribute(value: AttributeValue) -> Attribute {
    match value {
        AttributeValue::S(text) => Attribute::S(text),
        AttributeValue::N(number) => Attribute::N(number),
        AttributeValue::B(bytes) => Attribute::B(bytes.into_inner()),
        AttributeValue::Bool(is) => Attribute::Bool(is),
        AttributeValue::L(values) => Attribute::L(values.into_iter().map(attribute).collect()),
        AttributeValue::M(map) => Attribute::M(item_of(map)),
        _ => Attribute::Other,
    }
}
