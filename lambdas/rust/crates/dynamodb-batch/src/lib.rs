//! The operation of the dynamodb-batch experiment over a narrow port, and the port over the official SDK.
//!
//! The cases that hold it to the contract are `lib/contract/cases/dynamodb-batch-*.json`; the tests run every one.

mod error;
mod function;
mod item;
#[cfg(feature = "sdk-defaults")]
mod sdk_batches;

use bench_core::{CallError, Timed};

pub use error::Error;
pub use function::{Function, OPERATION};
pub use item::{ITEMS, Item};
#[cfg(feature = "sdk-defaults")]
pub use sdk_batches::SdkBatches;

/// The table as the operation sees it: each method is one call of the service, never retried, and timed alone.
pub trait Batches {
    /// Writes the items and says how many of them the service left unprocessed.
    ///
    /// # Errors
    /// What the service answered, or that it did not.
    fn write(&self, items: &[Item]) -> impl Future<Output = Result<Timed<usize>, CallError>>;

    /// Reads the items of these keys, in any order: those that are there and that the service processed.
    ///
    /// # Errors
    /// As `write`.
    fn read(&self, items: &[Item]) -> impl Future<Output = Result<Timed<Vec<Item>>, CallError>>;
}
