//! The SDK's client with one change: rustls on ring. The roots are the operating system's.

use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use bench_core::{CryptoProvider, Entropy, Stack, StartError, TrustStore};

use crate::sdk::{SdkTable, start};

/// The cryptography of this client. ring reads random bytes from the system each time, and collects no entropy
/// itself.
pub const STACK: Stack = Stack {
    crypto_provider: CryptoProvider::Ring,
    entropy: Entropy::System,
    trust_store: TrustStore::Native,
};

/// Returns the table that the environment names. Call it once, in Init.
///
/// # Errors
/// When `TABLE_NAME` is missing, empty or not Unicode, or `CONNECT_TIMEOUT_MS` is not a valid limit.
pub async fn connect() -> Result<SdkTable, StartError> {
    let client = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
    start::table(start::configuration()?.http_client(client)).await
}
