//! dynoxide, driven in this process by the crate's own calls, or as the HTTP server that the crate has.

mod embedded_engine;
mod wire;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use dynoxide::Database;
use emulators::{Call, Driver, Engine, one_thread, say_failure, serve};

use crate::embedded_engine::EmbeddedEngine;

#[derive(Parser)]
#[command(version, about = "dynoxide as a library, or as a server", long_about = None)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Perform what standard input names, a line an operation, on a database in this process
    Drive,
    /// Serve DynamoDB's HTTP from memory
    Serve {
        /// Port on 127.0.0.1
        #[arg(long)]
        port: u16,
    },
}

fn main() -> ExitCode {
    let ended = match Arguments::parse().command {
        Command::Drive => drive(),
        Command::Serve { port } => serve_http(port),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_failure(&*error);
            ExitCode::FAILURE
        }
    }
}

/// The start is the opening of the database: there is no process to start.
fn drive() -> Result<(), Box<dyn Error>> {
    one_thread()?.block_on(async {
        let start = Instant::now();
        let engine = EmbeddedEngine::open()?;
        let answer = engine.call(Call::ListTables).await.answer;
        let startup = start.elapsed();
        answer?;
        serve(Driver::new(engine, None), startup).await
    })
}

/// By the crate's own server on the runtime that its own program gives it.
fn serve_http(port: u16) -> Result<(), Box<dyn Error>> {
    let database = Database::memory()?;
    Ok(tokio::runtime::Runtime::new()?.block_on(dynoxide::server::start("127.0.0.1", port, database))?)
}
