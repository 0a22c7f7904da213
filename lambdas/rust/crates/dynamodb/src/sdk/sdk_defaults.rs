//! The client as the SDK makes it: rustls on aws-lc, the operating system's roots.

use bench_core::{CryptoProvider, Entropy, Stack, StartError, TrustStore};

use crate::sdk::{SdkTable, start};

/// `STACK` is what this client is built on.
pub const STACK: Stack = Stack {
    crypto_provider: CryptoProvider::AwsLc,
    entropy: Entropy::AWS_LC,
    trust_store: TrustStore::Native,
};

/// The table that the environment names. Call it once, in Init.
///
/// # Errors
/// When `TABLE_NAME` is missing, empty or no Unicode, or `CONNECT_TIMEOUT_MS` is no limit.
pub async fn connect() -> Result<SdkTable, StartError> {
    start::table(start::configuration()?).await
}
