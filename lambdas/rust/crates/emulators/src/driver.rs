use std::process;
use std::time::Instant;

use serde::Serialize;

use crate::call::{Call, Engine};
use crate::engine_process::{EngineProcess, resident_kb};
use crate::fidelity::{Behaviour, fidelity};
use crate::step::Step;
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
        let (step, total_ms, fidelity) = performed?;
        Ok(Report {
            operation: operation.into(),
            duration_ms: total_ms.unwrap_or_else(|| start.elapsed().as_secs_f64() * 1e3),
            step,
            memory_used_kb: resident_kb(self.process.as_ref().map_or_else(process::id, EngineProcess::pid)),
            fidelity,
        })
    }

    async fn performed(&self, operation: &str) -> Result<(Step, Option<f64>, Vec<Behaviour>), DriverError> {
        // Each operation has its own client: an engine may have closed the idle connections of the last one.
        let lane = self.engine.lane();
        let engine = &lane;
        let _ = engine.call(Call::ListTables).await;
        let unanswered = |error: &dyn std::error::Error| DriverError::Unanswered(error.to_string());
        match operation {
            "list_tables" => {
                let mut step = Step::default();
                step.ask(engine, Call::ListTables).await.map_err(|error| unanswered(&error))?;
                Ok((step, None, vec![]))
            }
            "warm_up" => {
                let step = warm_up::warm_up(engine).await.map_err(|error| unanswered(&error))?;
                Ok((step, None, vec![]))
            }
            "pipeline" | "pipeline_4" => {
                let lanes = if operation == "pipeline" { 1 } else { LANES };
                let done = pipeline::pipeline(engine, lanes).await.map_err(|error| unanswered(&*error))?;
                Ok((done.step, Some(done.total_ms), vec![]))
            }
            "fidelity" => {
                let found = fidelity(engine).await.map_err(|error| unanswered(&error))?;
                Ok((Step::default(), None, found))
            }
            name => match workload::step(name, engine).await {
                Some(step) => Ok((step.map_err(|error| unanswered(&error))?, None, vec![])),
                None => Err(DriverError::UnknownOperation {
                    found: name.into(),
                    known: workload::STEPS.join(", "),
                }),
            },
        }
    }
}
