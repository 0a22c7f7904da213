//! dynoxide, driven in this process through the crate's own calls, or run as the crate's HTTP server.

mod embedded_engine;
mod wire;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use dynoxide::Database;
use emulators::{COUNTED, Call, Driver, Engine, counted_call, fill, one_thread, say_failure, serve};

use crate::embedded_engine::EmbeddedEngine;

#[derive(Parser)]
#[command(version, about = "dynoxide as a library, or as a server", long_about = None)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the operations named on standard input, one per line, against a database in this process
    Drive,
    /// Fill a table, then repeat one call, so that its instructions can be counted
    Count {
        /// Name of the call, for example get
        call: String,
        /// Number of repetitions
        #[arg(long, default_value_t = 20)]
        times: usize,
    },
    /// Serve the DynamoDB API over HTTP
    Serve {
        /// Port on 127.0.0.1
        #[arg(long)]
        port: u16,
        /// Database file [default: in memory]
        #[arg(long)]
        file: Option<String>,
    },
}

fn main() -> ExitCode {
    let ended = match Arguments::parse().command {
        Command::Drive => drive(),
        Command::Count { call, times } => count(&call, times),
        Command::Serve { port, file } => serve_http(port, file.as_deref()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_failure(&*error);
            ExitCode::FAILURE
        }
    }
}

/// The startup time is that of opening the database, since there is no process to start.
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

/// Makes a call `times` times. The cost of one call is the difference between two runs, which fill the table equally.
fn count(name: &str, times: usize) -> Result<(), Box<dyn Error>> {
    one_thread()?.block_on(async {
        let engine = EmbeddedEngine::open()?;
        let filled = fill(&engine).await?;
        if let Some(wrong) = filled.wrong_answer {
            return Err(wrong.into());
        }
        for index in 0..times {
            let Some(call) = counted_call(name, index) else {
                return Err(format!("call: found {name:?}; allowed: {}", COUNTED.join(", ")).into());
            };
            engine.call(call).await.answer?;
        }
        Ok(())
    })
}

/// Runs the crate's own server on the same kind of runtime as its own program.
fn serve_http(port: u16, file: Option<&str>) -> Result<(), Box<dyn Error>> {
    let database = file.map_or_else(Database::memory, Database::new)?;
    Ok(tokio::runtime::Runtime::new()?.block_on(dynoxide::server::start("127.0.0.1", port, database))?)
}
