//! Variant `rust` of the dynamodb experiment: wiring alone.

use bench_core::{Boot, StartResult, serve};
use dynamodb::Function;
use dynamodb_sdk::sdk;
use dynamodb_sdk::sdk_defaults::{STACK, connect};

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(sdk());
    let function = Function::new("rust", boot, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
