//! The operations of the dynamodb experiment over a narrow port, and the port over the official SDK.
//!
//! The cases that hold it to the contract are `lib/contract/cases/dynamodb-*.json`; the tests run every one.

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
