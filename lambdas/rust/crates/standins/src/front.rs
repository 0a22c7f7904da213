//! The front is what stands before a service of this process: the network, and TLS.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::network::Network;

/// Holds a batch of 25 items of 1 KB, so that one goes over in one piece.
const BUFFER_BYTES: usize = 64 * 1_024;
/// After an accept that failed, so that running out of file descriptors does not run hot.
const PAUSE: Duration = Duration::from_millis(10);

/// The way to a plain HTTP server of this process.
#[derive(Clone)]
pub struct Front {
    /// Absent: plain HTTP on the outside, too.
    pub acceptor: Option<TlsAcceptor>,
    pub network: Arc<Network>,
    pub service: SocketAddr,
}

impl Front {
    /// Takes connections for as long as the process lives, and carries their bytes.
    pub async fn accept(self, listener: TcpListener) {
        loop {
            // Out of file descriptors, or the client is gone already: the next one may do better.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            // A client that does not trust the root, or that ended its process: no matter of the service's.
            tokio::spawn(self.clone().carry(stream));
        }
    }

    async fn carry(self, stream: TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        // The kernel has answered TCP's handshake by now: its round trip is waited for here, with TLS's.
        self.network.open().await;
        match &self.acceptor {
            None => self.relay(stream).await,
            Some(acceptor) => self.relay(acceptor.accept(stream).await?).await,
        }
    }

    /// A request waits before the service has its first byte; HTTP/1.1 sends the next one after the answer alone.
    async fn relay(&self, outside: impl AsyncRead + AsyncWrite) -> io::Result<()> {
        let inside = TcpStream::connect(self.service).await?;
        inside.set_nodelay(true)?;
        let (mut from_service, mut to_service) = inside.into_split();
        let (mut from_client, mut to_client) = tokio::io::split(outside);
        let is_answered = AtomicBool::new(true);
        let requests = async {
            let mut buffer = vec![0; BUFFER_BYTES];
            loop {
                let length = from_client.read(&mut buffer).await?;
                if length == 0 {
                    return to_service.shutdown().await;
                }
                if is_answered.swap(false, Ordering::Relaxed) {
                    self.network.pass().await;
                }
                to_service.write_all(&buffer[..length]).await?;
            }
        };
        let answers = async {
            let mut buffer = vec![0; BUFFER_BYTES];
            loop {
                let length = from_service.read(&mut buffer).await?;
                if length == 0 {
                    return to_client.shutdown().await;
                }
                is_answered.store(true, Ordering::Relaxed);
                to_client.write_all(&buffer[..length]).await?;
                to_client.flush().await?;
            }
        };
        tokio::try_join!(requests, answers).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::Front;
    use crate::loopback;
    use crate::network::{Network, Profile};

    /// Waited for in real time, on threads of its own: so long that a busy machine does not come near a second one.
    const DELAY: Duration = Duration::from_millis(400);
    const CONNECT_MS: f64 = 200.0;

    /// Answers each four bytes with themselves.
    async fn echo_service() -> SocketAddr {
        let listener = loopback::listen_on((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut four = [0; 4];
                    while stream.read_exact(&mut four).await.is_ok() {
                        stream.write_all(&four).await.unwrap();
                    }
                });
            }
        });
        address
    }

    async fn delayed_echo(connect_ms: f64) -> SocketAddr {
        let profile = Profile { delay_ms: DELAY.as_secs_f64() * 1_000.0, connect_ms, ..Profile::default() };
        let service = echo_service().await;
        let front = Front { acceptor: None, network: Arc::new(Network::new(profile)), service };
        let listener = loopback::listen_on((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(front.accept(listener));
        address
    }

    async fn request(stream: &mut TcpStream) -> Duration {
        let begun = Instant::now();
        // The request comes in two pieces, as clients send a head and a body.
        stream.write_all(b"he").await.unwrap();
        tokio::time::sleep(Duration::from_millis(2)).await;
        stream.write_all(b"ad").await.unwrap();
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"head");
        begun.elapsed()
    }

    #[tokio::test]
    async fn each_request_of_a_connection_is_delayed_once() {
        let mut stream = TcpStream::connect(delayed_echo(0.0).await).await.unwrap();
        for _ in 0..3 {
            let took = request(&mut stream).await;
            assert!(took >= DELAY - Duration::from_millis(1) && took < 2 * DELAY, "{took:?}");
        }
    }

    #[tokio::test]
    async fn opening_a_connection_takes_its_own_time_once() {
        let mut stream = TcpStream::connect(delayed_echo(CONNECT_MS).await).await.unwrap();
        let first = request(&mut stream).await;
        assert!(first >= DELAY + Duration::from_millis(198), "{first:?}");
        let second = request(&mut stream).await;
        assert!(second < 2 * DELAY, "{second:?}");
    }

    #[tokio::test]
    async fn fifty_requests_in_flight_wait_at_the_same_time() {
        let address = delayed_echo(0.0).await;
        let begun = Instant::now();
        let requests = (0..50).map(|_| {
            tokio::spawn(async move { request(&mut TcpStream::connect(address).await.unwrap()).await })
        });
        for asked in requests.collect::<Vec<_>>() {
            assert!(asked.await.unwrap() >= DELAY - Duration::from_millis(1));
        }
        // A queue would take twenty seconds.
        assert!(begun.elapsed() < 5 * DELAY, "{:?}", begun.elapsed());
    }
}
