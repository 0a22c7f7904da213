//! Variant `rust-interleaved` of the multicore experiment: wiring alone.

use std::process::ExitCode;

use multicore::interleaved::Interleaved;
use multicore::run;

fn main() -> ExitCode {
    run::<Interleaved>("rust-interleaved")
}
