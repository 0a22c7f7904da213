//! The dynamodb experiment's table, over the official AWS SDK.
//!
//! One module for each way to build the client; a variant takes one of them.

mod endpoint;
mod failure;
#[cfg(feature = "fast")]
pub mod fast;
#[cfg(feature = "ring")]
pub mod on_ring;
#[cfg(feature = "sdk-defaults")]
pub mod sdk_defaults;
mod start;
mod table;

use bench_core::Sdk;
pub use start::StartError;
pub use table::SdkTable;

/// The SDK that every client here is of.
#[must_use]
pub fn sdk() -> Sdk {
    Sdk { name: "aws-sdk-dynamodb", version: aws_sdk_dynamodb::meta::PKG_VERSION }
}
