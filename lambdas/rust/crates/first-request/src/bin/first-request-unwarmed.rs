//! Variant `unwarmed` of the first-request experiment: creates the client in Init and makes the first call in the
//! handler.

use bench_core::{Boot, StartResult, serve};
use dynamodb::sdk::sdk_defaults::{STACK, connect};
use dynamodb::sdk::version;
use first_request::Function;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(version());
    let function = Function::new("unwarmed", boot, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
