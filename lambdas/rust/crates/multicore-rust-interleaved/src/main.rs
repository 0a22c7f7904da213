//! Variant `rust-interleaved` of the multicore experiment: wiring alone.

use bench_core::StartResult;
use multicore::run;
use multicore_rust_interleaved::Interleaved;

fn main() -> StartResult {
    run::<Interleaved>("rust-interleaved")
}
