//! The SDK's default client: rustls on aws-lc, with the operating system's roots.

use bench_core::{CryptoProvider, Entropy, Stack, StartError, TrustStore};

use crate::sdk::{SdkTable, start};

/// The cryptography of this client.
pub const STACK: Stack = Stack {
    crypto_provider: CryptoProvider::AwsLc,
    entropy: Entropy::AWS_LC,
    trust_store: TrustStore::Native,
};

/// Returns the table that the environment names. Call it once, in Init.
///
/// # Errors
/// When `TABLE_NAME` is missing, empty or not Unicode, or `CONNECT_TIMEOUT_MS` is not a valid limit.
pub async fn connect() -> Result<SdkTable, StartError> {
    start::table(start::configuration()?).await
}
