use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};

use crate::call::Engine;
use crate::driver::Driver;

/// Returns a driver's runtime: one thread, which leaves the other CPU to the engine.
///
/// # Errors
/// When the system cannot create it.
pub fn one_thread() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Performs the operations on standard input, one per line, and answers each with a line of JSON. The first line of
/// output gives the startup time. Returns when standard input ends.
///
/// # Errors
/// When standard input or output fails.
pub async fn serve<E: Engine>(mut driver: Driver<E>, startup: Duration) -> Result<(), Box<dyn Error>> {
    say(&json!({ "startupMs": startup.as_secs_f64() * 1e3 }))?;
    // Blocking on standard input is fine, because nothing else runs between two operations.
    for line in io::stdin().lock().lines() {
        let answer = match driver.perform(line?.trim()).await {
            Ok(report) => serde_json::to_value(report)?,
            Err(error) => failure("EngineFailed", &error),
        };
        say(&answer)?;
    }
    Ok(())
}

/// Prints why the engine could not be started.
pub fn say_failure(error: &dyn Error) {
    // Ignored: nobody reads a closed output.
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
