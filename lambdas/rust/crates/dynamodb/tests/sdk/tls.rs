use std::io::BufReader;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process, thread};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::servers::{ITEM, answer, head};

static SERVERS: AtomicU32 = AtomicU32::new(0);

/// A fake DynamoDB over TLS with a chain of three certificates, for localhost only.
pub struct TlsServer {
    pub endpoint: String,
    /// The root to trust, PEM.
    pub root: PathBuf,
}

impl TlsServer {
    pub fn start() -> Self {
        let (config, root_pem) = chain();
        let listener = TcpListener::bind("0.0.0.0:0").unwrap();
        let endpoint = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let number = SERVERS.fetch_add(1, Ordering::Relaxed);
        let root = env::temp_dir().join(format!("kelvin-root-{}-{number}.pem", process::id()));
        fs::write(&root, root_pem).unwrap();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let connection = ServerConnection::new(config.clone()).unwrap();
                let mut input = BufReader::new(StreamOwned::new(connection, stream.unwrap()));
                thread::spawn(move || {
                    while head(&mut input).is_some() {
                        answer(input.get_mut(), "application/x-amz-json-1.0", ITEM);
                    }
                });
            }
        });
        Self { endpoint, root }
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.root);
    }
}

fn chain() -> (Arc<ServerConfig>, String) {
    let key = || KeyPair::generate().unwrap();
    let root = CertifiedIssuer::self_signed(authority("root"), key()).unwrap();
    let intermediate = CertifiedIssuer::signed_by(authority("intermediate"), key(), &root).unwrap();
    let leaf_key = key();
    let leaf =
        CertificateParams::new(["localhost".into()]).unwrap().signed_by(&leaf_key, &intermediate).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![leaf.der().clone(), intermediate.der().clone()],
            PrivatePkcs8KeyDer::from(leaf_key.serialize_der()).into(),
        )
        .unwrap();
    (Arc::new(config), root.pem())
}

fn authority(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    params
}
