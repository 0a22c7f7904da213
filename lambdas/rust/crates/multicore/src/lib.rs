//! The function of the multicore experiment: many hashes on a thread pool.
//!
//! The tests run every case of the contract in `lib/contract/cases/multicore-*.json`.

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
