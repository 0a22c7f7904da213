//! The experiment's table, over the official AWS SDK.
//!
//! One module for each way to make the client; a variant takes one of them.

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

/// The SDK that every client here belongs to.
#[must_use]
pub fn version() -> Sdk {
    Sdk { name: "aws-sdk-dynamodb", version: aws_sdk_dynamodb::meta::PKG_VERSION }
}
