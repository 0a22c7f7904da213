//! Variant `rust-serial` of the s3-fanout experiment: wiring alone.

use bench_core::{Boot, Reported, StartResult};
use lambda_runtime::{LambdaEvent, service_fn};
use s3_fanout::{Flow, Function};
use s3_fanout_sdk::{connect, sdk};
use serde_json::Value;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.with_sdk(sdk());
    let function = Function::new("rust-serial", boot, Flow::Serial, connect().await?);
    let function = &function;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| {
        // Boxed, for the runtime's layers over the SDK's futures nest deeper than the compiler follows.
        let outcome = Box::pin(async move { function.invoke(&event.payload).await });
        async { outcome.await.map_err(Reported) }
    }))
    .await
}
