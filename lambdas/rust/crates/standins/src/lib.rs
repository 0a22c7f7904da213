//! Stand-ins for AWS services on this machine, on loopback alone: what those of DynamoDB and of S3 share.
//!
//! A stand-in prints one JSON line when it is ready, then serves until its standard input ends or a signal comes,
//! so that it never outlives the process that started it.

pub mod announcement;
mod authority;
pub mod chain;
pub mod handshake;
pub mod loopback;
pub mod network;
pub mod stop;
pub mod tls;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

/// How a stand-in is reached. It serves until its standard input ends, or SIGTERM or SIGINT.
#[derive(Args)]
pub struct Transport {
    /// Serve TLS 1.3; the certificates are kept here, the root as root.pem
    #[arg(long, value_name = "DIR", required_unless_present = "plain_http")]
    pub tls_directory: Option<PathBuf>,
    /// Serve plain HTTP: no handshake, so no cold start like that on AWS
    #[arg(long, conflicts_with = "tls_directory")]
    pub plain_http: bool,
    /// Port on loopback; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,
}

/// How the process of a stand-in ends: an error is printed with its causes.
pub fn exit_code(stand_in: &str, served: Result<(), Box<dyn Error>>) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{stand_in}: {}", with_causes(&*error));
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
