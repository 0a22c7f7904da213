//! DynamoDB on this machine, in memory, by dynoxide.

use std::error::Error;
use std::future::pending;
use std::process::ExitCode;

use clap::Parser;
use dynoxide::Database;
use dynoxide::server::serve_with_shutdown;
use standins::{Transport, exit_code, serve};

#[derive(Parser)]
#[command(version, about = "DynamoDB on this machine, in memory, by dynoxide", long_about = None)]
struct Arguments {
    #[command(flatten)]
    transport: Transport,
}

// One thread: a request crosses no thread on its way through TLS and back, and the other cores stay the functions'.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code("standin-dynamodb", run(Arguments::parse().transport).await)
}

/// An empty DynamoDB. dynoxide serves TCP alone and keeps its router to itself.
async fn run(transport: Transport) -> Result<(), Box<dyn Error>> {
    let database = Database::memory()?;
    serve("dynamodb", transport, |listener| async move {
        let _ = serve_with_shutdown(listener, database, pending()).await;
    })
    .await
}
