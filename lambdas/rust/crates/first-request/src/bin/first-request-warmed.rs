//! Variant `warmed` of the first-request experiment: like `unwarmed`, with one ListTables at the end of Init.

use bench_core::{Boot, StartResult, Warmup, serve};
use dynamodb::sdk::sdk_defaults::{STACK, connect};
use dynamodb::sdk::version;
use first_request::Function;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(version());
    let table = connect().await?;
    let warmup = Warmup::within(Warmup::limit()?, table.list_tables()).await;
    let function = Function::new("warmed", boot.warmed(warmup), table);
    serve(async |event| function.invoke(&event).await).await
}
