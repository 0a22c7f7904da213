//! The experiment's table, through the official AWS SDK.
//!
//! Each module creates the client in one way; a variant uses one of them.

mod endpoint;
#[cfg(feature = "fast")]
pub mod fast;
#[cfg(feature = "ring")]
pub mod on_ring;
#[cfg(feature = "sdk-defaults")]
pub mod sdk_defaults;
mod start;
mod table;

use bench_core::Sdk;
pub use table::SdkTable;

/// Returns the SDK of all clients here.
#[must_use]
pub fn version() -> Sdk {
    Sdk { name: "aws-sdk-dynamodb", version: aws_sdk_dynamodb::meta::PKG_VERSION }
}
