//! Entry point of the multicore experiment's variant `rust`.

use std::process::ExitCode;

use multicore::{BcryptCrate, run};

fn main() -> ExitCode {
    run::<BcryptCrate>("rust")
}
