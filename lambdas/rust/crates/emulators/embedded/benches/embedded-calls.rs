//! Times single calls of dynoxide in this process: `npm run bench:micro`.

#[path = "../embedded_engine.rs"]
mod embedded_engine;
#[path = "../wire.rs"]
mod wire;

use std::error::Error;
use std::time::Duration;

use criterion::Criterion;
use emulators::{COUNTED, Engine, counted_call, fill, one_thread, undoing_calls};

use crate::embedded_engine::EmbeddedEngine;

/// Number of indices whose items the table is filled with.
const INDICES: u64 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    for name in COUNTED {
        bench(&mut criterion, name)?;
    }
    criterion.final_summary();
    Ok(())
}

/// Benchmarks a call on its own table, so that items of others do not interfere.
fn bench(criterion: &mut Criterion, name: &str) -> Result<(), Box<dyn Error>> {
    let runtime = one_thread()?;
    let engine = EmbeddedEngine::open()?;
    if let Some(wrong) = runtime.block_on(fill(&engine))?.wrong_answer {
        return Err(wrong.into());
    }
    let mut group = criterion.benchmark_group("dynoxide-embedded");
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|times| {
            let calls = (0..times).map(|call| timed(&engine, name, (call % INDICES) as usize));
            runtime.block_on(async {
                let mut total = Duration::ZERO;
                for call in calls {
                    total += call.await;
                }
                total
            })
        });
    });
    group.finish();
    Ok(())
}

/// Times the call as the workload's driver does: the request is built before, and the response parsed after.
async fn timed(engine: &EmbeddedEngine, name: &str, index: usize) -> Duration {
    let call = counted_call(name, index).unwrap_or_else(|| panic!("there is no call {name}"));
    let outcome = engine.call(call).await;
    if let Err(failure) = outcome.answer {
        panic!("{name}: {failure}");
    }
    for call in undoing_calls(name, index) {
        if let Err(failure) = engine.call(call).await.answer {
            panic!("{name}, undone: {failure}");
        }
    }
    outcome.time
}
