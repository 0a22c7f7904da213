//! The client of `bench_core::fast_client`: rustls on ring, Amazon's roots in the binary.

use aws_config::retry::RetryConfig;
use aws_sdk_dynamodb::config::Builder;
use aws_sdk_dynamodb::{Client, Config};
use bench_core::fast_client::{self, Roots, TraceHeader};
use bench_core::{CryptoProvider, Entropy, Stack, StartError, TrustStore, runtime_api};

use crate::sdk::{SdkTable, start};

/// Returns the cryptography of the client with these roots.
#[must_use]
pub fn stack(roots: Roots) -> Stack {
    let trust_store = match roots {
        Roots::Bundled => TrustStore::Bundled,
        Roots::Native => TrustStore::Native,
    };
    Stack { crypto_provider: CryptoProvider::Ring, entropy: Entropy::System, trust_store }
}

/// Returns the table that the environment names, for a function on `bench_core::runtime_api`. Call it once, in Init.
///
/// # Errors
/// When `TABLE_NAME` is missing, empty or not Unicode.
pub async fn connect(roots: Roots) -> Result<SdkTable, StartError> {
    let name = start::table_name()?;
    let shared = fast_client::configuration(roots);
    // Retries are off, as in the other variants: a retry inside a measured call would look like a slow call.
    let shared = shared.retry_config(RetryConfig::disabled()).load().await;
    let trace = TraceHeader { current: runtime_api::trace_id };
    let configuration: Config = Builder::from(&shared).interceptor(trace).build();
    Ok(SdkTable::new(Client::from_conf(configuration), name))
}
