use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::list_tables::builders::ListTablesFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use bench_core::sdk_failure::call_error;
use bench_core::{CallError, Stopwatch, Timed};

use crate::{Item, Page, Table};

type Attributes = HashMap<String, AttributeValue>;

/// A DynamoDB table, through the SDK.
///
/// Requests are built before the stopwatch starts: it times only `send`, with signing and parsing.
#[derive(Debug)]
pub struct SdkTable {
    client: Client,
    name: String,
}

impl SdkTable {
    /// Wraps the table `name`; the client must not retry.
    #[must_use]
    pub fn new(client: Client, name: String) -> Self {
        Self { client, name }
    }

    /// Returns the client and the table's name, for calls outside of this experiment.
    #[must_use]
    pub fn into_parts(self) -> (Client, String) {
        (self.client, self.name)
    }

    /// Makes the cheapest call that reaches the service, signed and over TLS, and ignores its result.
    ///
    /// # Errors
    /// The service's error, or the lack of an answer.
    pub async fn list_tables(&self) -> Result<(), CallError> {
        self.list_one_table().send().await.map_err(|error| call_error("ListTables", error))?;
        Ok(())
    }

    pub(crate) fn list_one_table(&self) -> ListTablesFluentBuilder {
        self.client.list_tables().limit(1)
    }
}

impl Table for SdkTable {
    type Cursor = Attributes;
    type Write = WriteRequest;

    fn write(&self, item: Item) -> Result<WriteRequest, CallError> {
        let put =
            PutRequest::builder().set_item(Some(attributes(item))).build().map_err(|error| CallError {
                call: "BatchWriteItem",
                code: "ConstructionFailure".into(),
                message: error.to_string(),
            })?;
        Ok(WriteRequest::builder().put_request(put).build())
    }

    async fn get(&self, pk: &str, sk: &str) -> Result<Timed<bool>, CallError> {
        let request = self.client.get_item().table_name(&self.name).key("pk", text(pk)).key("sk", text(sk));
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        let output = answer.value.map_err(|error| call_error("GetItem", error))?;
        Ok(Timed { value: output.item.is_some(), time: answer.time })
    }

    async fn put(&self, item: Item) -> Result<Timed<()>, CallError> {
        let request = self.client.put_item().table_name(&self.name).set_item(Some(attributes(item)));
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        answer.value.map_err(|error| call_error("PutItem", error))?;
        Ok(Timed { value: (), time: answer.time })
    }

    async fn query(&self, pk: &str, from: Option<Attributes>) -> Result<Timed<Page<Attributes>>, CallError> {
        let request = self
            .client
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", text(pk))
            .set_exclusive_start_key(from);
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        let output = answer.value.map_err(|error| call_error("Query", error))?;
        let items = output.items().len() as u32;
        Ok(Timed { value: Page { items, next: output.last_evaluated_key }, time: answer.time })
    }

    async fn batch_write(&self, writes: Vec<WriteRequest>) -> Result<Timed<Vec<WriteRequest>>, CallError> {
        let request = self.client.batch_write_item().request_items(&self.name, writes);
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        let output = answer.value.map_err(|error| call_error("BatchWriteItem", error))?;
        // All unprocessed items belong to this table, because no other was written to.
        let left = output.unprocessed_items.into_iter().flatten().flat_map(|(_, writes)| writes).collect();
        Ok(Timed { value: left, time: answer.time })
    }
}

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn attributes(item: Item) -> Attributes {
    HashMap::from([
        ("pk".into(), AttributeValue::S(item.pk)),
        ("sk".into(), AttributeValue::S(item.sk)),
        ("data".into(), AttributeValue::S(item.data)),
        ("timestamp".into(), AttributeValue::N(item.timestamp.to_string())),
    ])
}
