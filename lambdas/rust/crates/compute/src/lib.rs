//! The operations of the compute experiment: CPU work only, no SDK.
//!
//! The tests run every case of the contract in `lib/contract/cases/compute-*.json`.

mod function;
mod operation;
mod work;

pub use function::Function;
pub use operation::Operation;
