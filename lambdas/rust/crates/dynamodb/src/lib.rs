//! The operations of the dynamodb experiment over a narrow port, without an SDK.
//!
//! The cases that hold it to the contract are `lib/contract/cases/dynamodb-*.json`; the tests run every one.

mod batch;
mod error;
mod function;
mod item;
mod operation;
mod table;

pub use error::{Error, TableError};
pub use function::Function;
pub use item::Item;
pub use operation::Operation;
pub use table::{Page, Table};
