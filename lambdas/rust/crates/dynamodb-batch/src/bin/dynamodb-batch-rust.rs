//! Entry point of the dynamodb-batch experiment's variant `rust`.

use bench_core::{Boot, StartResult, serve};
use dynamodb::sdk::sdk_defaults::{STACK, connect};
use dynamodb::sdk::version;
use dynamodb_batch::{Function, SdkBatches};

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(version());
    let function = Function::new("rust", boot, SdkBatches::from(connect().await?));
    serve(async |event| function.invoke(&event).await).await
}
