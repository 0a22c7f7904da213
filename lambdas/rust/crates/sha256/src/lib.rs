//! The operation of the sha256 experiment: hashes, each of the one before it.
//!
//! The cases that hold it to the contract are `lib/contract/cases/sha256-*.json`; the tests run every one.

mod chain;
mod function;
mod request;

pub use chain::{chain, leading_bits};
pub use function::Function;
pub use request::Request;
