//! Variant `rust` of the compute experiment: wiring alone.

use bench_core::{Boot, Reported, StartResult};
use compute_rust::Function;
use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::Value;

#[tokio::main]
async fn main() -> StartResult {
    let function = Function::new("rust", Boot::new()?);
    let function = &function;
    lambda_runtime::run(service_fn(async move |event: LambdaEvent<Value>| {
        function.invoke(&event.payload).map_err(Reported)
    }))
    .await
}
