//! The function of the multicore experiment: many hashes on a pool of threads.
//!
//! The cases that hold it to the contract are `lib/contract/cases/multicore-*.json`; the tests run every one.

mod bcrypt_crate;
mod function;
pub mod interleaved;
mod job;
mod request;
mod resident;
mod run;
mod workers;

pub use bcrypt_crate::BcryptCrate;
pub use function::{Function, Hashed};
pub use job::{COST, Digest, Hasher, Job};
pub use request::{Mode, Request};
pub use run::run;
pub use workers::{InvalidWorkerCount, Workers};
