//! Variant `no-jitter` of the first-request experiment: like `unwarmed`, built without aws-lc's CPU jitter.

use bench_core::{Boot, StartResult, serve};
use dynamodb::sdk::sdk_defaults::{STACK, connect};
use dynamodb::sdk::version;
use first_request::Function;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(version());
    let function = Function::new("no-jitter", boot, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
