use std::fs;
use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::call::{Call, Engine};

/// Pause between two polls, the maximum error of a startup time.
const PAUSE: Duration = Duration::from_micros(200);

/// The process of an engine over HTTP. Dropping this kills it.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
}

/// Reason why an engine could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The program does not exist or may not be run.
    #[error("{program}: {error}")]
    NotStarted {
        /// The path as given.
        program: String,
        /// The system's reason.
        error: io::Error,
    },
    /// Its process ended.
    #[error("it ended with {0} before it answered")]
    Ended(String),
    /// It did not answer within the limit.
    #[error("it did not answer ListTables within {0} s")]
    Silent(u64),
}

impl EngineProcess {
    /// Starts the engine, and returns it with the time from the start to its first answer to ListTables.
    ///
    /// The client makes one call before that, to a port where nothing listens yet, so that its one-time cost is not
    /// part of the engine's startup.
    ///
    /// # Errors
    /// When the engine does not start, ends at once, or does not answer.
    pub async fn start(
        command: &[String],
        engine: &impl Engine,
        limit: Duration,
    ) -> Result<(Self, Duration), StartError> {
        let _ = engine.call(Call::ListTables).await;
        let [program, arguments @ ..] = command else { return Err(StartError::Ended("no command".into())) };
        let start = Instant::now();
        // Its output goes to standard error, like the driver's own errors.
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(io::stderr())
            .spawn()
            .map_err(|error| StartError::NotStarted { program: program.clone(), error })?;
        let mut process = Self { child };
        loop {
            let answer = engine.call(Call::ListTables).await.answer;
            if answer.is_ok() {
                return Ok((process, start.elapsed()));
            }
            if let Some(end) = process.ended() {
                return Err(StartError::Ended(end));
            }
            if start.elapsed() > limit {
                return Err(StartError::Silent(limit.as_secs()));
            }
            // tokio's timer has a resolution of 1 ms. Nothing else runs on this thread.
            thread::sleep(PAUSE);
        }
    }

    /// Returns how the process ended, or `None` while it runs.
    pub fn ended(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(Some(status)) => Some(status.to_string()),
            _ => None,
        }
    }

    /// Returns the process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a process's resident set in KB, or `None` if the system does not report it.
#[must_use]
pub fn resident_kb(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
