//! Variant `no-jitter` of the first-request experiment: as `unwarmed`, built without aws-lc's CPU jitter.

use bench_core::{Boot, StartResult, serve};
use dynamodb_sdk::sdk;
use dynamodb_sdk::sdk_defaults::{STACK, connect};
use first_request::Function;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(sdk());
    let function = Function::new("no-jitter", boot, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
