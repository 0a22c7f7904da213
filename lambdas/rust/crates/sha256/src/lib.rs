//! The operation of the sha256 experiment: a chain of hashes.
//!
//! The tests run every case of the contract in `lib/contract/cases/sha256-*.json`.

mod chain;
mod function;
mod request;

pub use chain::{chain, leading_bits};
pub use function::Function;
pub use request::Request;
