//! The s3-fanout experiment's bucket, over the official AWS SDK.

mod bucket;
mod failure;
mod start;

use bench_core::Sdk;
pub use bucket::SdkBucket;
pub use start::{StartError, connect};

/// The SDK that the client is of.
#[must_use]
pub fn sdk() -> Sdk {
    Sdk { name: "aws-sdk-s3", version: aws_sdk_s3::meta::PKG_VERSION }
}
