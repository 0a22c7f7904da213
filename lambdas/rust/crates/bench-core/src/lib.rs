//! What every measured Rust function shares: its boot, its events, its results, its errors.
//!
//! The contract is `lib/contract/schemas`; the cases that hold every language to it are `lib/contract/cases`.

mod boot;
mod fields;
mod invalid_input;
mod reported;
mod result;
mod serve;
mod stopwatch;

pub use boot::{Boot, Invocation};
pub use fields::Fields;
pub use invalid_input::InvalidInput;
pub use reported::{ErrorType, Reported};
pub use result::{FunctionResult, Measured};
pub use serve::{StartResult, serve};
pub use stopwatch::{Stopwatch, Timed, milliseconds};
