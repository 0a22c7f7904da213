//! The operation of the dynamodb-batch experiment over a narrow port, and the port over the official SDK.
//!
//! The tests run every case of the contract in `lib/contract/cases/dynamodb-batch-*.json`.

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

/// Interface of the table. Each method makes one call, without retries, and times only the call.
pub trait Batches {
    /// Writes the items and returns the number that the service left unprocessed.
    ///
    /// # Errors
    /// The service's error, or the lack of an answer.
    fn write(&self, items: &[Item]) -> impl Future<Output = Result<Timed<usize>, CallError>>;

    /// Returns the items found under these keys and processed, in any order.
    ///
    /// # Errors
    /// As `write`.
    fn read(&self, items: &[Item]) -> impl Future<Output = Result<Timed<Vec<Item>>, CallError>>;
}
