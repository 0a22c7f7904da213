use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use s3s::Body;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use standins::announcement::Announcement;
use standins::chain::Chain;
use standins::network::Network;
use standins::{Transport, handshake, loopback, stop};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::buckets::Buckets;

/// After an accept that failed, so that running out of file descriptors does not run hot.
const PAUSE: Duration = Duration::from_millis(10);

/// The keys of AWS's documentation, which every function on this machine has: signatures are checked as S3 does it.
const ACCESS_KEY: &str = "AKIAIOSFODNN7EXAMPLE";
const SECRET_KEY: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/// What every connection has.
#[derive(Clone)]
struct Server {
    acceptor: Option<TlsAcceptor>,
    service: S3Service,
    network: Arc<Network>,
}

/// Serves an S3 without buckets, in memory, until it is told to stop; over TLS where a directory is given.
pub async fn serve(
    Transport { tls_directory, port, .. }: Transport,
    network: Network,
) -> Result<(), Box<dyn Error>> {
    let chain = tls_directory.as_deref().map(Chain::of).transpose()?;
    let acceptor = chain.as_ref().map(acceptor).transpose()?;
    let mut service = S3ServiceBuilder::new(Buckets::default());
    service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let service = service.build();
    let server = Server { acceptor, service, network: Arc::new(network) };
    let (port, listeners) = loopback::listen(port)?;
    for listener in listeners {
        tokio::spawn(accept(listener, server.clone()));
    }
    let scheme = if chain.is_some() { "https" } else { "http" };
    let announcement = Announcement {
        service: "s3",
        endpoint: format!("{scheme}://localhost:{port}"),
        root_certificate: chain.as_ref().map(|chain| chain.root.as_path()),
    };
    announcement.print()?;
    Ok(stop::stopped().await?)
}

fn acceptor(chain: &Chain) -> Result<TlsAcceptor, Box<dyn Error>> {
    handshake::rehearse(chain)?;
    Ok(TlsAcceptor::from(handshake::server_config(chain)?))
}

async fn accept(listener: TcpListener, server: Server) {
    loop {
        // Out of file descriptors, or the client is gone already: the next one may do better.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        tokio::spawn(server.clone().carry(stream));
    }
}

impl Server {
    /// A client that does not trust the root, or that ended its process, is no matter of the server's.
    async fn carry(self, stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        match self.acceptor.clone() {
            None => self.answer(stream).await,
            Some(acceptor) => {
                if let Ok(stream) = acceptor.accept(stream).await {
                    self.answer(stream).await;
                }
            }
        }
    }

    async fn answer(self, stream: impl AsyncRead + AsyncWrite + Unpin) {
        let delayed = service_fn(|request: Request<Incoming>| {
            let Self { service, network, .. } = self.clone();
            async move {
                network.pass().await;
                Ok::<_, Infallible>(match service.call(request.map(Body::from)).await {
                    Ok(response) => response,
                    Err(_) => refused(),
                })
            }
        });
        let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), delayed).await;
    }
}

/// What is no request of S3's at all.
fn refused() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = hyper::StatusCode::BAD_REQUEST;
    response
}
