//! Drives one DynamoDB emulator: its startup, the 13 steps, a test suite's work, and its fidelity.
//!
//! Every step is written once, over the trait [`Engine`]. An engine is called over HTTP with the official SDK, or in
//! this process with dynoxide's own calls.

mod call;
mod counted;
mod driver;
mod engine_process;
mod fidelity;
mod items;
mod pipeline;
mod serve;
mod step;
mod table;
mod warm_up;
mod workload;

pub use call::{Answer, Attribute, Call, Engine, Expression, Failure, Item, Outcome, Read, Write};
pub use counted::{COUNTED, counted_call, fill, undoing_calls};
pub use driver::{Driver, DriverError};
pub use engine_process::{EngineProcess, StartError, resident_kb};
pub use fidelity::{Behaviour, fidelity};
pub use items::EMAIL_INDEX;
pub use pipeline::{Pipeline, pipeline};
pub use serve::{one_thread, say_failure, serve};
pub use step::{Step, Unanswered};
pub use workload::{STEPS, step};
