//! Variant `rust` of the multicore experiment: wiring alone.

use std::process::ExitCode;

use multicore::{BcryptCrate, run};

fn main() -> ExitCode {
    run::<BcryptCrate>("rust")
}
