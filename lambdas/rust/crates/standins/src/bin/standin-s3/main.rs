//! S3 on this machine, in memory, by s3s.

mod buckets;
mod server;

use std::process::ExitCode;

use clap::Parser;
use standins::{Transport, exit_code, serve};

#[derive(Parser)]
#[command(version, about = "S3 on this machine, in memory, by s3s", long_about = None)]
struct Arguments {
    #[command(flatten)]
    transport: Transport,
}

// One thread: a request crosses no thread on its way through TLS and back, and the other cores stay the functions'.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code("standin-s3", serve("s3", Arguments::parse().transport, server::answer).await)
}
