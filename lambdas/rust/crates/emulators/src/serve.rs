use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};

use crate::call::Engine;
use crate::driver::Driver;

/// A driver's runtime: one thread, so that the other processor is the engine's.
///
/// # Errors
/// When the system gives none.
pub fn one_thread() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Performs what standard input names, a line an operation; a line of JSON answers each. The first line tells how
/// long the start took. Returns when standard input ends.
///
/// # Errors
/// When standard input or output fails.
pub async fn serve<E: Engine>(mut driver: Driver<E>, startup: Duration) -> Result<(), Box<dyn Error>> {
    say(&json!({ "startupMs": startup.as_secs_f64() * 1e3 }))?;
    // Nothing else runs between two operations: to block on standard input is to rest.
    for line in io::stdin().lock().lines() {
        let answer = match driver.perform(line?.trim()).await {
            Ok(report) => serde_json::to_value(report)?,
            Err(error) => failure("EngineFailed", &error),
        };
        say(&answer)?;
    }
    Ok(())
}

/// Says that the engine could not be started, and why.
pub fn say_failure(error: &dyn Error) {
    // There is nobody to tell of an output that is closed.
    let _ = say(&failure("EngineNotStarted", error));
}

fn failure(kind: &str, error: &dyn Error) -> Value {
    json!({ "error": { "type": kind, "message": error.to_string() } })
}

fn say(value: &Value) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{value}")?;
    stdout.flush()
}
