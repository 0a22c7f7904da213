//! Entry point of the sha256 experiment's variant `rust`.

use bench_core::{Boot, StartResult, serve};
use sha256::Function;

#[tokio::main]
async fn main() -> StartResult {
    let function = Function::new("rust", Boot::new()?);
    serve(async |event| function.invoke(&event)).await
}
