//! TLS 1.3 as DynamoDB speaks it.

use std::error::Error;
use std::io;
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::version::TLS13;
use rustls::{CipherSuite, ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};

/// `server_config` returns what the server needs to speak TLS 1.3 and HTTP/1.1 with a chain and its key, both PEM.
pub fn server_config(server_pem: &str) -> Result<Arc<ServerConfig>, Box<dyn Error>> {
    let pem = server_pem.as_bytes();
    let certificates = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>()?;
    let mut config = ServerConfig::builder_with_provider(server_provider())
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_single_cert(certificates, PrivateKeyDer::from_pem_slice(pem)?)?;
    config.ignore_client_order = true;
    // DynamoDB speaks HTTP/1.1 alone.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// One handshake with the chain in memory.
///
/// It proves that a client that trusts the root accepts the chain, and it makes this process's cryptography collect
/// its entropy now: aws-lc does so once a process, tens of milliseconds that would fall on the first cold start.
pub fn rehearse(root_pem: &str, server_pem: &str) -> Result<(), Box<dyn Error>> {
    shake_hands(root_pem, server_pem).map(drop)
}

/// The client's end of a handshake that succeeded.
fn shake_hands(root_pem: &str, server_pem: &str) -> Result<ClientConnection, Box<dyn Error>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(root_pem.as_bytes())?)?;
    let config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut client = ClientConnection::new(Arc::new(config), ServerName::try_from("localhost")?)?;
    let mut server = ServerConnection::new(server_config(server_pem)?)?;
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
    Ok(client)
}

/// Hands all bytes over; a connection takes a few thousand at a time.
fn receive(mut bytes: &[u8], mut read: impl FnMut(&mut dyn io::Read) -> io::Result<usize>) -> io::Result<()> {
    while !bytes.is_empty() {
        read(&mut bytes)?;
    }
    Ok(())
}

/// Chooses AES-128 where a client offers it, whatever its order.
///
/// AWS does the same: CloudTrail's records name it for calls of clients that offer AES-256 first, DynamoDB's among them
/// (`tlsDetails.cipherSuite`). Its hash is SHA-256, which costs a client less than SHA-384 does.
fn server_provider() -> Arc<CryptoProvider> {
    let mut provider = aws_lc_rs::default_provider();
    provider.cipher_suites.sort_by_key(|suite| suite.suite() != CipherSuite::TLS13_AES_128_GCM_SHA256);
    Arc::new(provider)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

#[cfg(test)]
mod tests {
    use super::{CipherSuite, provider, shake_hands};
    use crate::authority::NewChain;

    #[test]
    fn the_server_chooses_aes_128_for_a_client_that_offers_aes_256_first() {
        assert_eq!(provider().cipher_suites[0].suite(), CipherSuite::TLS13_AES_256_GCM_SHA384);
        let chain = NewChain::generate().unwrap();
        let client = shake_hands(&chain.root, &chain.server).unwrap();
        let chosen = client.negotiated_cipher_suite().unwrap().suite();
        assert_eq!(chosen, CipherSuite::TLS13_AES_128_GCM_SHA256);
    }
}
