//! DynamoDB on this machine, in memory, by dynoxide.

use std::error::Error;
use std::future::pending;
use std::net::Ipv4Addr;
use std::process::ExitCode;

use clap::Parser;
use dynoxide::Database;
use dynoxide::server::serve_with_shutdown;
use standins::announcement::Announcement;
use standins::chain::Chain;
use standins::{Transport, exit_code, handshake, loopback, stop, tls};
use tokio::net::TcpListener;

#[derive(Parser)]
#[command(version, about = "DynamoDB on this machine, in memory, by dynoxide", long_about = None)]
struct Arguments {
    #[command(flatten)]
    transport: Transport,
}

// One thread: a request crosses no thread on its way through TLS and back, and the other cores stay the functions'.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code("standin-dynamodb", serve(Arguments::parse().transport).await)
}

/// Serves an empty DynamoDB in memory until it is told to stop; over TLS where a directory is given.
async fn serve(Transport { tls_directory, port, .. }: Transport) -> Result<(), Box<dyn Error>> {
    let chain = tls_directory.as_deref().map(Chain::of).transpose()?;
    let database = Database::memory()?;
    let (port, listeners) = loopback::listen(port)?;
    match &chain {
        None => listeners.into_iter().for_each(|listener| serve_plain(listener, &database)),
        Some(chain) => serve_tls(listeners, chain, &database)?,
    }
    let scheme = if chain.is_some() { "https" } else { "http" };
    let announcement = Announcement {
        service: "dynamodb",
        endpoint: format!("{scheme}://localhost:{port}"),
        root_certificate: chain.as_ref().map(|chain| chain.root.as_path()),
    };
    announcement.print()?;
    Ok(stop::stopped().await?)
}

fn serve_plain(listener: TcpListener, database: &Database) {
    tokio::spawn(serve_with_shutdown(listener, database.clone(), pending()));
}

/// dynoxide serves TCP alone and keeps its router to itself: TLS stands before it, over one more loopback socket.
fn serve_tls(listeners: Vec<TcpListener>, chain: &Chain, database: &Database) -> Result<(), Box<dyn Error>> {
    handshake::rehearse(chain)?;
    let config = handshake::server_config(chain)?;
    let inner = loopback::listen_on((Ipv4Addr::LOCALHOST, 0).into())?;
    let plain = inner.local_addr()?;
    serve_plain(inner, database);
    for listener in listeners {
        tokio::spawn(tls::terminate(listener, config.clone(), plain));
    }
    Ok(())
}
