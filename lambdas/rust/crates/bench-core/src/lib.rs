//! Code that all measured Rust functions share: boot, events, results and errors.
//!
//! The contract is in `lib/contract/schemas`; every language runs the cases in `lib/contract/cases`.

mod boot;
mod build;
mod call_error;
mod environment;
#[cfg(feature = "fast-client")]
pub mod fast_client;
mod fields;
mod invalid_input;
mod processor;
mod reported;
mod result;
#[cfg(feature = "runtime-api")]
pub mod runtime_api;
#[cfg(feature = "sdk-errors")]
pub mod sdk_failure;
#[cfg(feature = "lambda-runtime")]
mod serve;
mod stopwatch;
mod warmup;

pub use boot::{Boot, Invocation, Sdk};
pub use build::{Build, CryptoProvider, Entropy, Stack, TrustStore};
pub use call_error::CallError;
pub use environment::{StartError, required_variable};
pub use fields::Fields;
pub use invalid_input::InvalidInput;
pub use reported::ErrorType;
#[cfg(feature = "lambda-runtime")]
pub use reported::Reported;
pub use result::{ConnectionTimes, FunctionResult, Measured};
#[cfg(feature = "lambda-runtime")]
pub use serve::{StartResult, serve};
pub use stopwatch::{Stopwatch, Timed, milliseconds};
pub use warmup::Warmup;
