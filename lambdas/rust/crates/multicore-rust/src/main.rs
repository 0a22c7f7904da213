//! Variant `rust` of the multicore experiment: wiring alone.

use bench_core::StartResult;
use multicore::{BcryptCrate, run};

fn main() -> StartResult {
    run::<BcryptCrate>("rust")
}
