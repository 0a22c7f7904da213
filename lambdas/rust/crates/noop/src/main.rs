//! A function that does nothing, to measure the cost of the instrument itself.

use bench_core::{Boot, Fields, FunctionResult, InvalidInput, Measured, StartResult, Stopwatch, serve};
use serde_json::Value;

const OPERATION: &str = "noop";

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.ready();
    serve(async |event| invoke(&boot, &event)).await
}

fn invoke(boot: &Boot, event: &Value) -> Result<FunctionResult, InvalidInput> {
    let invocation = boot.invoked();
    let operation = Fields::read(event, &["operation"])?.operation(&[OPERATION])?;
    let stopwatch = Stopwatch::start();
    let measured = Measured { duration: stopwatch.elapsed(), ..Measured::default() };
    Ok(FunctionResult::new("noop", operation, invocation, measured))
}
