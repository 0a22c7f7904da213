use std::error::Error;
use std::io;
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::version::TLS13;
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};

use crate::chain::Chain;

/// What the server needs to speak TLS 1.3 and HTTP/1.1 with a chain.
pub fn server_config(chain: &Chain) -> Result<Arc<ServerConfig>, Box<dyn Error>> {
    let pem = chain.server_pem.as_bytes();
    let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>()?;
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_single_cert(certificates, PrivateKeyDer::from_pem_slice(pem)?)?;
    // DynamoDB speaks HTTP/1.1 alone.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// One handshake with the chain in memory.
///
/// It proves that a client that trusts the root accepts the chain, and it makes this process's cryptography collect
/// its entropy now: aws-lc does so once a process, tens of milliseconds that would fall on the first cold start.
pub fn rehearse(chain: &Chain) -> Result<(), Box<dyn Error>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(chain.root_pem.as_bytes())?)?;
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut client = ClientConnection::new(Arc::new(config), ServerName::try_from("localhost")?)?;
    let mut server = ServerConnection::new(server_config(chain)?)?;
    while client.is_handshaking() || server.is_handshaking() {
        let (mut to_server, mut to_client) = (Vec::new(), Vec::new());
        while client.wants_write() {
            client.write_tls(&mut to_server)?;
        }
        receive(&to_server, |bytes| server.read_tls(bytes))?;
        server.process_new_packets()?;
        while server.wants_write() {
            server.write_tls(&mut to_client)?;
        }
        receive(&to_client, |bytes| client.read_tls(bytes))?;
        client.process_new_packets()?;
    }
    Ok(())
}

/// Hands all bytes over; a connection takes a few thousand at a time.
fn receive(mut bytes: &[u8], mut read: impl FnMut(&mut dyn io::Read) -> io::Result<usize>) -> io::Result<()> {
    while !bytes.is_empty() {
        read(&mut bytes)?;
    }
    Ok(())
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}
