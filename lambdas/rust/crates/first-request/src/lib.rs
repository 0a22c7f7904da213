//! The function of the first-request experiment over a narrow port, without an SDK.
//!
//! Every variant reads one item; what they do before it, in Init or in the handler, is what the experiment varies.

mod error;
mod function;
mod item_key;
mod steps;

pub use error::{ConnectionError, Error};
pub use function::Function;
pub use item_key::ItemKey;
pub use steps::{Connect, NoSteps, Steps};
