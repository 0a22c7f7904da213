//! Variant `breakdown` of the first-request experiment: opens two connections without the SDK, times each step, then
//! makes one call.

mod by_hand;

use bench_core::{Boot, StartResult, serve};
use dynamodb::sdk::sdk_defaults::{STACK, connect};
use dynamodb::sdk::version;
use first_request::Function;

use crate::by_hand::ByHand;

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.built_on(STACK)?.with_sdk(version());
    let table = connect().await?;
    let steps = ByHand::to(&table.endpoint().await?)?;
    let function = Function::after(steps, "breakdown", boot, table);
    serve(async |event| function.invoke(&event).await).await
}
