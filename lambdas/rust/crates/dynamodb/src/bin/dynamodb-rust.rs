//! Entry point of the dynamodb experiment's variant `rust`.

use bench_core::{Boot, StartResult, serve};
use dynamodb::Function;
use dynamodb::sdk::sdk_defaults::{STACK, connect};
use dynamodb::sdk::version;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(version());
    let function = Function::new("rust", boot, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
