//! Entry point of the multicore experiment's variant `rust-interleaved`.

use std::process::ExitCode;

use multicore::interleaved::Interleaved;
use multicore::run;

fn main() -> ExitCode {
    run::<Interleaved>("rust-interleaved")
}
