//! The operations of the dynamodb experiment over a narrow port, and the port over the official SDK.
//!
//! The tests run every case of the contract in `lib/contract/cases/dynamodb-*.json`.

mod batch;
mod error;
mod function;
mod item;
mod operation;
#[cfg(feature = "sdk")]
pub mod sdk;
mod table;

pub use error::Error;
pub use function::Function;
pub use item::Item;
pub use operation::Operation;
pub use table::{Page, Table};
