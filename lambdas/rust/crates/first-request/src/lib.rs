//! The function of the first-request experiment over a narrow port, without an SDK.
//!
//! Every variant reads one item. They differ in what they do before that, in Init or in the handler.

mod error;
mod function;
mod item_key;
mod steps;

pub use error::{ConnectionError, Error};
pub use function::Function;
pub use item_key::ItemKey;
pub use steps::{Connect, NoSteps, Steps};
