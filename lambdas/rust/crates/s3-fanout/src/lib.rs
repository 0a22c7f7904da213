//! The operation of the s3-fanout experiment over a narrow port, and the port over the official SDK.
//!
//! The tests run every case of the contract in `lib/contract/cases/s3-fanout-*.json`.

mod bucket;
mod calls;
mod error;
mod flow;
mod function;
mod request;
#[cfg(feature = "sdk")]
pub mod sdk;

pub use bucket::{Bucket, Page};
pub use error::Error;
pub use flow::Flow;
pub use function::{FannedOut, Function};
pub use request::Request;
