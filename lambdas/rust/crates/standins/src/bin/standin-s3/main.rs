//! S3 on this machine, in memory, by s3s, behind a network of its own.

mod buckets;
mod server;

use std::process::ExitCode;

use clap::{Args, Parser};
use standins::network::Network;
use standins::{Transport, exit_code};

#[derive(Parser)]
#[command(version, about = "S3 on this machine, in memory, by s3s", long_about = None)]
struct Arguments {
    #[command(flatten)]
    transport: Transport,
    #[command(flatten)]
    network: NetworkProfile,
}

/// What each request takes besides the server's own time.
#[derive(Args)]
struct NetworkProfile {
    /// Each request's delay
    #[arg(long, default_value_t = 0, value_name = "MS")]
    delay_ms: u32,
    /// The most that a delay differs by, either way
    #[arg(long, default_value_t = 0, value_name = "MS")]
    jitter_ms: u32,
    /// Of the delays' random order
    #[arg(long, default_value_t = 0)]
    seed: u32,
}

// One thread: a request crosses no thread on its way through TLS and back, and the other cores stay the functions'.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { transport, network: NetworkProfile { delay_ms, jitter_ms, seed } } = Arguments::parse();
    exit_code("standin-s3", server::serve(transport, Network::new(delay_ms, jitter_ms, seed)).await)
}
