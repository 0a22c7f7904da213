use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, PutRequest, WriteRequest};
use bench_core::sdk_failure::call_error;
use bench_core::{CallError, Stopwatch, Timed};
use dynamodb::sdk::SdkTable;

use crate::{Batches, Item};

type Attributes = HashMap<String, AttributeValue>;

/// A DynamoDB table, through the SDK.
///
/// Requests are built before the stopwatch starts: it times only `send`, with signing and parsing.
#[derive(Debug)]
pub struct SdkBatches {
    client: Client,
    name: String,
}

impl From<SdkTable> for SdkBatches {
    fn from(table: SdkTable) -> Self {
        let (client, name) = table.into_parts();
        Self { client, name }
    }
}

impl Batches for SdkBatches {
    async fn write(&self, items: &[Item]) -> Result<Timed<usize>, CallError> {
        let writes = items.iter().map(put).collect::<Result<_, _>>()?;
        let request = self.client.batch_write_item().request_items(&self.name, writes);
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        let output = answer.value.map_err(|error| call_error("BatchWriteItem", error))?;
        let left = output.unprocessed_items.into_iter().flatten().map(|(_, writes)| writes.len()).sum();
        Ok(Timed { value: left, time: answer.time })
    }

    async fn read(&self, items: &[Item]) -> Result<Timed<Vec<Item>>, CallError> {
        // Otherwise, a read just after the write might not see it.
        let keys = KeysAndAttributes::builder().consistent_read(true);
        let keys = keys.set_keys(Some(items.iter().map(key).collect())).build();
        let keys = keys.map_err(|error| unbuilt("BatchGetItem", &error))?;
        let request = self.client.batch_get_item().request_items(&self.name, keys);
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        let output = answer.value.map_err(|error| call_error("BatchGetItem", error))?;
        let found = output.responses.into_iter().flatten().flat_map(|(_, items)| items);
        Ok(Timed { value: found.filter_map(|found| item(&found)).collect(), time: answer.time })
    }
}

fn put(item: &Item) -> Result<WriteRequest, CallError> {
    let put = PutRequest::builder().set_item(Some(attributes(item))).build();
    let put = put.map_err(|error| unbuilt("BatchWriteItem", &error))?;
    Ok(WriteRequest::builder().put_request(put).build())
}

fn unbuilt(call: &'static str, error: &dyn std::error::Error) -> CallError {
    CallError { call, code: "ConstructionFailure".into(), message: error.to_string() }
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn key(item: &Item) -> Attributes {
    HashMap::from([("pk".into(), text(&item.pk)), ("sk".into(), text(&item.sk))])
}

fn attributes(item: &Item) -> Attributes {
    HashMap::from([
        ("pk".into(), text(&item.pk)),
        ("sk".into(), text(&item.sk)),
        ("name".into(), text(&item.name)),
        ("category".into(), text(&item.category)),
        ("description".into(), text(&item.description)),
        ("price".into(), AttributeValue::N(item.price.to_string())),
        ("quantity".into(), AttributeValue::N(item.quantity.to_string())),
        ("available".into(), AttributeValue::Bool(item.available)),
    ])
}

/// Returns `None` if an attribute is missing or has another type: such an item was not written here.
fn item(found: &Attributes) -> Option<Item> {
    let text = |name: &str| Some(found.get(name)?.as_s().ok()?.clone());
    let number = |name: &str| found.get(name)?.as_n().ok()?.parse().ok();
    Some(Item {
        pk: text("pk")?,
        sk: text("sk")?,
        name: text("name")?,
        category: text("category")?,
        description: text("description")?,
        price: number("price")?,
        quantity: number("quantity")?,
        available: *found.get("available")?.as_bool().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::{attributes, item};
    use crate::Item;

    #[test]
    fn an_item_is_read_as_it_was_written_and_another_one_is_not() {
        let written = Item::new("p", "s".into(), 3);
        let mut stored = attributes(&written);
        assert_eq!(stored.len(), 8);
        assert_eq!(item(&stored), Some(written));
        stored.remove("price");
        assert_eq!(item(&stored), None);
    }
}
