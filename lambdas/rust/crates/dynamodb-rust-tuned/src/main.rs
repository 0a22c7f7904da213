//! Variant `rust-tuned` of the dynamodb experiment: wiring alone.

use bench_core::{StartResult, serve};
use dynamodb::Function;

#[tokio::main]
async fn main() -> StartResult {
    let function = Function::new("rust-tuned", dynamodb_sdk::connect().await?)?;
    serve(async |event| function.invoke(&event).await).await
}
