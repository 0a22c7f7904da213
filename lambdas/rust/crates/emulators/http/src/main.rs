//! Starts an engine that serves HTTP and drives it, through the official SDK.

mod attributes;
mod create_table;
mod sdk_engine;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use emulators::{Driver, EngineProcess, one_thread, say_failure, serve};

use crate::sdk_engine::SdkEngine;

/// Starts an engine and performs what standard input names, a line an operation.
///
/// A line of JSON answers each; the first one tells of the start. It ends with its standard input, and the engine
/// with it.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where the engine will answer, for example http://127.0.0.1:8000
    #[arg(long)]
    endpoint: String,
    /// How long it may take to answer
    #[arg(long, default_value_t = 60)]
    limit_seconds: u64,
    /// The engine's program and its arguments
    #[arg(last = true, required = true)]
    engine: Vec<String>,
}

fn main() -> ExitCode {
    match drive(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_failure(&*error);
            ExitCode::FAILURE
        }
    }
}

fn drive(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    one_thread()?.block_on(async {
        let engine = SdkEngine::new(&arguments.endpoint);
        let limit = Duration::from_secs(arguments.limit_seconds);
        let (process, startup) = EngineProcess::start(&arguments.engine, &engine, limit).await?;
        serve(Driver::new(engine, Some(process)), startup).await
    })
}
