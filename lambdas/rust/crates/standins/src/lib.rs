//! Stand-ins for AWS services on this machine, on loopback alone: what those of DynamoDB and of S3 share.
//!
//! A stand-in prints one JSON line when it is ready, then serves until its standard input ends or a signal comes,
//! so that it never outlives the process that started it.

mod announcement;
mod authority;
mod chain;
mod front;
mod handshake;
mod loopback;
mod network;
mod stop;

use std::error::Error;
use std::future::Future;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::announcement::Announcement;
use crate::chain::Chain;
use crate::front::Front;
use crate::network::{Network, Profile};

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
    /// `network` is what lies between a function and the service.
    #[command(flatten)]
    pub network: Profile,
}

/// Serves a service over the transport until it is told to stop: `start` begins to serve its plain HTTP on a listener.
pub async fn serve<S>(
    service: &'static str,
    transport: Transport,
    start: impl FnOnce(TcpListener) -> S,
) -> Result<(), Box<dyn Error>>
where
    S: Future<Output = ()> + Send + 'static,
{
    let Transport { tls_directory, port, network, .. } = transport;
    let chain = tls_directory.as_deref().map(Chain::of).transpose()?;
    let acceptor = chain.as_ref().map(tls_acceptor).transpose()?;
    let inner = loopback::listen_on((Ipv4Addr::LOCALHOST, 0).into())?;
    let front = Front { acceptor, network: Arc::new(Network::new(network)), service: inner.local_addr()? };
    tokio::spawn(start(inner));
    let (port, listeners) = loopback::listen(port)?;
    for listener in listeners {
        tokio::spawn(front.clone().accept(listener));
    }
    let scheme = if chain.is_some() { "https" } else { "http" };
    let announcement = Announcement {
        service,
        endpoint: format!("{scheme}://localhost:{port}"),
        root_certificate: chain.as_ref().map(|chain| chain.root.as_path()),
    };
    announcement.print()?;
    Ok(stop::stopped().await?)
}

fn tls_acceptor(chain: &Chain) -> Result<TlsAcceptor, Box<dyn Error>> {
    chain.rehearse()?;
    Ok(TlsAcceptor::from(handshake::server_config(&chain.server_pem)?))
}

/// `exit_code` ends the process of a stand-in: an error is printed with its causes.
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
