//! The operations of the compute experiment: nothing but the processor, and no SDK.
//!
//! The cases that hold it to the contract are `lib/contract/cases/compute-*.json`; the tests run every one.

mod function;
mod operation;
mod work;

pub use function::Function;
pub use operation::Operation;
