//! Stand-ins for AWS services on this machine, on loopback alone.
//!
//! A stand-in prints one JSON line when it is ready, then serves until its standard input ends or a signal comes,
//! so that it never outlives the process that started it.

mod announcement;
mod authority;
mod buckets;
mod chain;
mod dynamodb;
mod handshake;
mod loopback;
mod network;
mod s3;
mod stop;
mod tls;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::network::Network;

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
    /// S3, in memory, by s3s, behind a network of its own
    S3 {
        #[command(flatten)]
        transport: Transport,
        #[command(flatten)]
        network: NetworkProfile,
    },
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
    let Arguments { service } = Arguments::parse();
    let served = match service {
        Service::Dynamodb(transport) => dynamodb::serve(transport.tls_directory, transport.port).await,
        Service::S3 { transport, network: NetworkProfile { delay_ms, jitter_ms, seed } } => {
            let network = Network::new(delay_ms, jitter_ms, seed);
            s3::serve(transport.tls_directory, transport.port, network).await
        }
    };
    match served {
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
