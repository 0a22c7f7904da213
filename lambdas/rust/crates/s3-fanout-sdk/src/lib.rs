//! The s3-fanout experiment's bucket, over the official AWS SDK.

mod bucket;
mod failure;
mod start;

pub use bucket::SdkBucket;
pub use start::{StartError, connect};
