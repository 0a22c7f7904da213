use std::fs;
use std::io;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::call::{Call, Engine};

/// Between two questions whether an engine answers yet: what a start is too long by, at most.
const PAUSE: Duration = Duration::from_micros(200);

/// The process of an engine over HTTP. It is killed when this is dropped.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
}

/// An engine that could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such program, or it may not run.
    #[error("{program}: {error}")]
    NotStarted {
        /// `program` is the path as it was given.
        program: String,
        /// The system's reason.
        error: io::Error,
    },
    /// Its process is gone.
    #[error("it ended with {0} before it answered")]
    Ended(String),
    /// It took longer than it was given.
    #[error("it did not answer ListTables within {0} s")]
    Silent(u64),
}

impl EngineProcess {
    /// Starts it and returns it with the time from its start to its first answer to ListTables.
    ///
    /// The client is used once before that, against a port on which nobody listens yet: its own first-time cost is
    /// no part of the engine's start.
    ///
    /// # Errors
    /// When it does not start, ends at once, or stays silent.
    pub async fn start(
        command: &[String],
        engine: &impl Engine,
        limit: Duration,
    ) -> Result<(Self, Duration), StartError> {
        let _ = engine.call(Call::ListTables).await;
        let [program, arguments @ ..] = command else { return Err(StartError::Ended("no command".into())) };
        let start = Instant::now();
        // Its output goes where the driver's own errors go: to the log of the one who started both.
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
            // tokio's clock has steps of a millisecond; nothing else is to run on this thread.
            thread::sleep(PAUSE);
        }
    }

    /// `ended` returns how the process ended; `None` while it runs.
    pub fn ended(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(Some(status)) => Some(status.to_string()),
            _ => None,
        }
    }

    /// `pid` is the process's id.
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

/// Resident set of a process in KB; `None` where the system does not tell.
#[must_use]
pub fn resident_kb(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
