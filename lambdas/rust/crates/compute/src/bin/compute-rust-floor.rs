//! Entry point of the compute experiment's variant `rust-floor`: the same function on a minimal runtime, a single
//! connection to the Runtime API (<https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html>). The rest of its
//! start time is Lambda's.

use std::io;
use std::process::ExitCode;

use bench_core::Boot;
use bench_core::runtime_api::{Context, run_blocking};
use compute::Function;
use serde_json::Value;

fn main() -> ExitCode {
    run_blocking(|| {
        let function = Function::new("rust-floor", Boot::new()?);
        Ok::<_, io::Error>(move |event: Value, _: &Context| function.invoke(&event))
    })
}
