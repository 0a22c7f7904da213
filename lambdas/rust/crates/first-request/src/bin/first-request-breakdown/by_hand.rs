use std::fmt::{self, Display};
use std::net::SocketAddr;
use std::sync::Arc;

use bench_core::{ConnectionTimes, Stopwatch, Timed};
use first_request::{Connect, ConnectionError};
use http::Uri;
use rustls::client::Resumption;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;

const HTTPS: &str = "https";
const HTTPS_PORT: u16 = 443;

/// Reason why the variant cannot start, so that Init fails. `Debug` prints the same text as `Display`, because the
/// process prints it.
#[derive(thiserror::Error)]
#[error("endpoint: found {found}; expected {expected}")]
pub struct EndpointError {
    found: String,
    expected: &'static str,
}

impl fmt::Debug for EndpointError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

/// Opens connections as the SDK's default client does: the system's resolver on a tokio thread, TCP without delay,
/// rustls on aws-lc with the operating system's roots, HTTP/2 and HTTP/1.1 offered.
pub struct ByHand {
    host: String,
    port: u16,
    server_name: ServerName<'static>,
    tls: TlsConnector,
}

impl ByHand {
    /// Prepares everything that the SDK prepares in Init, so that it is not part of a connection's times.
    ///
    /// # Errors
    /// When the address is invalid or without TLS, or the operating system has no roots.
    pub fn to(endpoint: &str) -> Result<Self, EndpointError> {
        let wrong = |expected| EndpointError { found: endpoint.to_owned(), expected };
        let uri: Uri = endpoint.parse().map_err(|_| wrong("an address"))?;
        if uri.scheme_str() != Some(HTTPS) {
            return Err(wrong("an address with https: without TLS there is nothing to break down"));
        }
        // A URI has brackets around an IPv6 address; the other users of the host do not.
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let server_name =
            ServerName::try_from(host.clone()).map_err(|_| wrong("a host that TLS can name"))?;
        let port = uri.port_u16().unwrap_or(HTTPS_PORT);
        Ok(Self { host, port, server_name, tls: TlsConnector::from(Arc::new(configuration()?)) })
    }

    fn failed(&self, step: &'static str, error: impl Display) -> ConnectionError {
        ConnectionError { step, host: format!("{}:{}", self.host, self.port), message: error.to_string() }
    }

    async fn resolve(&self) -> Result<Vec<SocketAddr>, ConnectionError> {
        let addresses = lookup_host((self.host.as_str(), self.port)).await;
        Ok(addresses.map_err(|error| self.failed("DNS", error))?.collect())
    }

    async fn reach(&self, addresses: &[SocketAddr]) -> Result<TcpStream, ConnectionError> {
        let stream = TcpStream::connect(addresses).await.map_err(|error| self.failed("TCP", error))?;
        stream.set_nodelay(true).map_err(|error| self.failed("TCP", error))?;
        Ok(stream)
    }
}

impl Connect for ByHand {
    async fn connect(&self) -> Result<ConnectionTimes, ConnectionError> {
        let stopwatch = Stopwatch::start();
        let Timed { value: addresses, time: dns } = stopwatch.timed(self.resolve().await?);
        let stopwatch = Stopwatch::start();
        let Timed { value: stream, time: tcp } = stopwatch.timed(self.reach(&addresses).await?);
        let stopwatch = Stopwatch::start();
        let handshake = self.tls.connect(self.server_name.clone(), stream).await;
        let tls = stopwatch.elapsed();
        handshake.map_err(|error| self.failed("TLS", error))?;
        Ok(ConnectionTimes { dns, tcp, tls })
    }
}

/// Sessions are not resumed: the second handshake must be a full one, without the process's one-time work.
fn configuration() -> Result<ClientConfig, EndpointError> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (taken, _) = roots.add_parsable_certificates(found.certs);
    if taken == 0 {
        return Err(EndpointError {
            found: format!("no roots on this system ({:?})", found.errors),
            expected: "the operating system's trust store, or SSL_CERT_FILE",
        });
    }
    let mut configuration = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| EndpointError { found: error.to_string(), expected: "TLS 1.2 and 1.3" })?
        .with_root_certificates(roots)
        .with_no_client_auth();
    configuration.resumption = Resumption::disabled();
    configuration.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(configuration)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;
    use std::thread;

    use super::{ByHand, Connect};

    #[test]
    fn an_address_without_tls_is_refused_when_the_function_starts() {
        let error = ByHand::to("http://localhost:8000/").err().unwrap();
        assert!(error.to_string().starts_with("endpoint: found http://localhost:8000/; expected"), "{error}");
    }

    #[test]
    fn host_and_port_are_the_endpoints_own() {
        let of = |endpoint| ByHand::to(endpoint).map(|steps| (steps.host, steps.port)).unwrap();
        assert_eq!(
            of("https://dynamodb.cn-north-1.amazonaws.com.cn/"),
            ("dynamodb.cn-north-1.amazonaws.com.cn".into(), 443)
        );
        assert_eq!(of("https://localhost:40123"), ("localhost".into(), 40_123));
        assert_eq!(of("https://[::1]:40123"), ("::1".into(), 40_123));
    }

    #[tokio::test]
    async fn a_step_that_fails_is_named() {
        let refusing = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error = ByHand::to(&format!("https://{refusing}")).unwrap().connect().await.unwrap_err();
        assert_eq!((error.step, error.host), ("TCP", refusing.to_string()));
        let error = ByHand::to("https://no-such-host.invalid").unwrap().connect().await.unwrap_err();
        assert_eq!(error.step, "DNS");
    }

    #[tokio::test]
    async fn a_server_that_does_not_speak_tls_is_a_failed_handshake() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            listener.accept().map(|(mut stream, _)| stream.write_all(b"HTTP/1.1 400 no\r\n\r\n"))
        });
        let error = ByHand::to(&format!("https://{address}")).unwrap().connect().await.unwrap_err();
        assert_eq!(error.step, "TLS");
    }
}
