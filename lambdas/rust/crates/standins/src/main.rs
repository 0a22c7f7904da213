//! Stand-ins for AWS services on this machine, on loopback alone.
//!
//! A stand-in prints one JSON line when it is ready, then serves until its standard input ends or a signal comes,
//! so that it never outlives the process that started it.

mod announcement;
mod authority;
mod chain;
mod dynamodb;
mod handshake;
mod loopback;
mod stop;
mod tls;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

#[derive(Parser)]
#[command(version, about = "Stand-ins for AWS services on this machine", long_about = None)]
struct Arguments {
    #[command(subcommand)]
    service: Service,
}

#[derive(Subcommand)]
enum Service {
    /// DynamoDB, in memory, by dynoxide
    Dynamodb(Transport),
}

/// How a stand-in is reached. It serves until its standard input ends, or SIGTERM or SIGINT.
#[derive(Args)]
struct Transport {
    /// Serve TLS 1.3; the certificates are kept here, the root as root.pem
    #[arg(long, value_name = "DIR", required_unless_present = "plain_http")]
    tls_directory: Option<PathBuf>,
    /// Serve plain HTTP: no handshake, so no cold start like that on AWS
    #[arg(long, conflicts_with = "tls_directory")]
    plain_http: bool,
    /// Port on loopback; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
}

// One thread: a request crosses no thread on its way through TLS and back, and the other cores stay the functions'.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { service: Service::Dynamodb(transport) } = Arguments::parse();
    match dynamodb::serve(transport.tls_directory, transport.port).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("standins: {}", with_causes(&*error));
            ExitCode::FAILURE
        }
    }
}

fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
