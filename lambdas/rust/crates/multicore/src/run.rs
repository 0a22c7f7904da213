use std::process::ExitCode;

use bench_core::{Boot, StartResult, serve};

use crate::{Function, Hasher, Workers};

/// A variant's `main`: creates the pool, starts the runtime, and serves invocations until Lambda ends the process.
///
/// Logs the reason if it cannot start (an invalid `WORKER_COUNT`, or a system without threads).
#[must_use]
pub fn run<H: Hasher + Send>(variant: &'static str) -> ExitCode {
    match start::<H>(variant) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn start<H: Hasher + Send>(variant: &'static str) -> StartResult {
    let workers = Workers::from_environment()?;
    let function = Function::<H>::new(variant, Boot::new()?, workers);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(async |event| function.invoke(&event)))
}
