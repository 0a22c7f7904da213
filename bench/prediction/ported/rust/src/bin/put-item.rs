//! runtime-benchmark's function: one item, put by a client that Init makes.

use aws_config::BehaviorVersion;
use aws_sdk_dynamodb::Client;
use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use ported::{put, table_name};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = &Client::new(&aws_config::load_defaults(BehaviorVersion::latest()).await);
    let table = &table_name()?;
    run(service_fn(async move |event: LambdaEvent<Value>| {
        let mut item: Value = serde_json::from_str(event.payload["body"].as_str().unwrap_or_default())?;
        // The request's id is as unique as the source's UUID.
        item["id"] = json!(event.context.request_id);
        put(client, table, &item).await?;
        Ok::<_, Error>(json!({ "statusCode": 201, "body": item.to_string() }))
    }))
    .await
}
