//! lambda-benchmark's function: validates each message of a batch by a JSON schema and puts it as an item. As in the
//! source, every call compiles the schema and creates its own client.

use aws_config::BehaviorVersion;
use aws_sdk_dynamodb::Client;
use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use ported::{put, table_name};
use serde_json::Value;

#[tokio::main]
async fn main() -> Result<(), Error> {
    run(service_fn(store)).await
}

async fn store(event: LambdaEvent<Value>) -> Result<(), Error> {
    let schema: Value = serde_json::from_str(include_str!("../../../message.schema.json"))?;
    let validator = jsonschema::validator_for(&schema)?;
    let client = Client::new(&aws_config::load_defaults(BehaviorVersion::latest()).await);
    let table = table_name()?;
    let records = event.payload["Records"].as_array().ok_or("the event has no Records")?;
    for record in records {
        let message: Value = serde_json::from_str(record["body"].as_str().unwrap_or_default())?;
        if !validator.is_valid(&message) {
            return Err("the message does not match the schema".into());
        }
        put(&client, &table, &message).await?;
    }
    Ok(())
}
