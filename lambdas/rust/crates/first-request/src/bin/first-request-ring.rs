//! Variant `ring` of the first-request experiment: like `unwarmed`, with TLS on ring.

use bench_core::{Boot, StartResult, serve};
use dynamodb::sdk::on_ring::{STACK, connect};
use dynamodb::sdk::version;
use first_request::Function;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(version());
    let function = Function::new("ring", boot, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
