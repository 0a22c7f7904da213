//! The dynamodb experiment's table, over the official AWS SDK.

mod client;
mod failure;
mod table;

pub use client::{StartError, connect};
pub use table::SdkTable;
