//! The experiment's bucket, through the official AWS SDK.

mod bucket;
mod start;

use bench_core::Sdk;
pub use bucket::SdkBucket;
pub use start::connect;

/// Returns the SDK of the client.
#[must_use]
pub fn version() -> Sdk {
    Sdk { name: "aws-sdk-s3", version: aws_sdk_s3::meta::PKG_VERSION }
}
