//! TLS before a server that speaks none.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::copy_bidirectional_with_sizes;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Holds a batch of 25 items of 1 KB, so that one goes over in one piece.
const BUFFER_BYTES: usize = 64 * 1_024;
/// After an accept that failed, so that running out of file descriptors does not run hot.
const PAUSE: Duration = Duration::from_millis(10);

/// Takes TLS off every connection and carries its bytes to a plain HTTP server of this process.
pub async fn terminate(listener: TcpListener, config: Arc<ServerConfig>, plain: SocketAddr) {
    let acceptor = TlsAcceptor::from(config);
    loop {
        // Out of file descriptors, or the client is gone already: the next one may do better.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            // A client that does not trust the root, or that ended its process: no matter of the server's.
            let _ = carry(stream, &acceptor, plain).await;
        });
    }
}

async fn carry(stream: TcpStream, acceptor: &TlsAcceptor, plain: SocketAddr) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut outside = acceptor.accept(stream).await?;
    let mut inside = TcpStream::connect(plain).await?;
    inside.set_nodelay(true)?;
    copy_bidirectional_with_sizes(&mut outside, &mut inside, BUFFER_BYTES, BUFFER_BYTES).await?;
    Ok(())
}
