use std::process;
use std::time::Instant;

use serde::Serialize;

use crate::call::{Call, Engine};
use crate::engine_process::{EngineProcess, resident_kb};
use crate::fidelity::{Behaviour, fidelity};
use crate::step::{Step, Unanswered};
use crate::{pipeline, warm_up, workload};

const LANES: usize = 4;

/// Performs operations by name on an engine.
pub struct Driver<E> {
    engine: E,
    process: Option<EngineProcess>,
}

/// Outcome of an operation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    operation: String,
    /// The whole operation, including building items and checking responses.
    duration_ms: f64,
    #[serde(flatten)]
    step: Step,
    /// Memory after the operation of the engine's process or, for an embedded engine, of this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_used_kb: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fidelity: Vec<Behaviour>,
}

/// Reason why an operation has no report.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The operation is unknown.
    #[error(
        "operation: found {found:?}; allowed: warm_up, list_tables, {known}, pipeline, pipeline_4, fidelity"
    )]
    UnknownOperation {
        /// The requested operation.
        found: String,
        /// The known steps.
        known: String,
    },
    /// The engine's process ended.
    #[error("the engine ended with {0}")]
    EngineEnded(String),
    /// The engine does not answer, though its process may be running.
    #[error("{0}")]
    Unanswered(String),
}

impl From<Unanswered> for DriverError {
    fn from(error: Unanswered) -> Self {
        Self::Unanswered(error.to_string())
    }
}

/// Outcome of an operation, before the engine is known to have survived it.
#[derive(Default)]
struct Performed {
    step: Step,
    /// Absent if the whole operation is timed.
    total_ms: Option<f64>,
    fidelity: Vec<Behaviour>,
}

impl From<Step> for Performed {
    fn from(step: Step) -> Self {
        Self { step, ..Self::default() }
    }
}

impl<E: Engine> Driver<E> {
    /// Creates a driver; `process` is absent if the engine is in this process.
    pub fn new(engine: E, process: Option<EngineProcess>) -> Self {
        Self { engine, process }
    }

    /// Performs an operation by its name.
    ///
    /// # Errors
    /// When the operation is unknown, or the engine does not answer or has ended.
    pub async fn perform(&mut self, operation: &str) -> Result<Report, DriverError> {
        let start = Instant::now();
        let performed = self.performed(operation).await;
        if let Some(end) = self.process.as_mut().and_then(EngineProcess::ended) {
            return Err(DriverError::EngineEnded(end));
        }
        let Performed { step, total_ms, fidelity } = performed?;
        Ok(Report {
            operation: operation.into(),
            duration_ms: total_ms.unwrap_or_else(|| start.elapsed().as_secs_f64() * 1e3),
            step,
            memory_used_kb: resident_kb(self.process.as_ref().map_or_else(process::id, EngineProcess::pid)),
            fidelity,
        })
    }

    async fn performed(&self, operation: &str) -> Result<Performed, DriverError> {
        // Each operation has its own client: an engine may have closed the idle connections of the last one.
        let engine = &self.engine.lane();
        let _ = engine.call(Call::ListTables).await;
        match operation {
            "list_tables" => {
                let mut step = Step::default();
                step.ask(engine, Call::ListTables).await?;
                Ok(step.into())
            }
            "warm_up" => Ok(warm_up::warm_up(engine).await?.into()),
            "pipeline" => in_lanes(engine, 1).await,
            "pipeline_4" => in_lanes(engine, LANES).await,
            "fidelity" => Ok(Performed { fidelity: fidelity(engine).await?, ..Performed::default() }),
            name => {
                let step = workload::step(name, engine).await;
                let unknown = || DriverError::UnknownOperation {
                    found: name.into(),
                    known: workload::STEPS.join(", "),
                };
                Ok(step.ok_or_else(unknown)??.into())
            }
        }
    }
}

async fn in_lanes(engine: &impl Engine, lanes: usize) -> Result<Performed, DriverError> {
    let done = pipeline::pipeline(engine, lanes).await;
    let done = done.map_err(|error| DriverError::Unanswered(error.to_string()))?;
    Ok(Performed { step: done.step, total_ms: Some(done.total_ms), ..Performed::default() })
}
