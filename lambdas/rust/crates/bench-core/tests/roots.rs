//! The bundled roots are the five that Amazon publishes, and none expires soon.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};
use x509_parser::pem::Pem;

const ROOTS: &[u8] = include_bytes!("../roots/amazon.pem");
/// Leaves time to publish and deploy an update by `roots/update.py`.
const LEAST_LEFT: Duration = Duration::from_secs(2 * 365 * 24 * 60 * 60);

/// SHA-256 of the certificate and of its public key, as published at <https://www.amazontrust.com/repository/>.
const PUBLISHED: [(&str, &str, &str); 5] = [
    (
        "Amazon Root CA 1",
        "8ecde6884f3d87b1125ba31ac3fcb13d7016de7f57cc904fe1cb97c6ae98196e",
        "fbe3018031f9586bcbf41727e417b7d1c45c2f47f93be372a17b96b50757d5a2",
    ),
    (
        "Amazon Root CA 2",
        "1ba5b2aa8c65401a82960118f80bec4f62304d83cec4713a19c39c011ea46db4",
        "7f4296fc5b6a4e3b35d3c369623e364ab1af381d8fa7121533c9d6c633ea2461",
    ),
    (
        "Amazon Root CA 3",
        "18ce6cfe7bf14e60b2e347b8dfe868cb31d02ebb3ada271569f50343b46db3a4",
        "36abc32656acfc645c61b71613c4bf21c787f5cabbee48348d58597803d7abc9",
    ),
    (
        "Amazon Root CA 4",
        "e35d28419ed02025cfa69038cd623962458da5c695fbdea3c22b0bfb25897092",
        "f7ecded5c66047d28ed6466b543c40e0743abe81d109254dcf845d4c2c7853c5",
    ),
    (
        "Starfield Services Root Certificate Authority - G2",
        "568d6905a2c88708a4b3025190edcfedb1974a606a13c6e5290fcb2ae63edab5",
        "2b071c59a0a0ae76b0eadb2bad23bad4580b69c3601b630c2eaf0613afa83f92",
    ),
];

#[test]
fn the_roots_are_those_that_amazon_publishes_by_certificate_and_by_key() {
    let found: Vec<_> = roots()
        .iter()
        .map(|root| {
            let certificate = root.parse_x509().unwrap();
            let name = certificate.subject().iter_common_name().next().unwrap().as_str().unwrap().to_owned();
            (name, hexadecimal(&root.contents), hexadecimal(certificate.public_key().raw))
        })
        .collect();
    let published = PUBLISHED.map(|(name, certificate, key)| (name.into(), certificate.into(), key.into()));
    assert_eq!(found, published);
}

#[test]
fn no_root_ends_within_two_years() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    for root in roots() {
        let certificate = root.parse_x509().unwrap();
        let (begin, end) = (certificate.validity().not_before, certificate.validity().not_after);
        let soon = i64::try_from((now + LEAST_LEFT).as_secs()).unwrap();
        assert!(end.timestamp() > soon, "{} ends on {end}: run roots/update.py", certificate.subject());
        assert!(begin.timestamp() < soon, "{} begins on {begin}", certificate.subject());
    }
}

fn roots() -> Vec<Pem> {
    Pem::iter_from_buffer(ROOTS).collect::<Result<_, _>>().unwrap()
}

fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
