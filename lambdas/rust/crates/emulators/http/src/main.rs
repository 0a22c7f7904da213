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

/// Starts an engine and runs the operations named on standard input, one per line.
///
/// Prints one line of JSON for the start, then one for each operation. When standard input closes, it stops the
/// engine and exits.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// URL at which the engine listens, for example http://127.0.0.1:8000
    #[arg(long)]
    endpoint: String,
    /// Time limit for the first answer after the start, in seconds
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
