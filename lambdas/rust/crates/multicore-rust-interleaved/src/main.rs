//! Variant `rust-interleaved` of the multicore experiment: wiring alone.

use std::process::ExitCode;

use multicore::run;
use multicore_rust_interleaved::Interleaved;

fn main() -> ExitCode {
    run::<Interleaved>("rust-interleaved")
}
