use std::process;
use std::time::Instant;

use serde::Serialize;

use crate::call::{Call, Engine};
use crate::engine_process::{EngineProcess, resident_kb};
use crate::fidelity::{Behaviour, fidelity};
use crate::step::Step;
use crate::{pipeline, warm_up, workload};

const LANES: usize = 4;

/// An engine that answers, and what it is asked by name.
pub struct Driver<E> {
    engine: E,
    process: Option<EngineProcess>,
}

/// `Report` is the outcome of an operation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    operation: String,
    /// The whole operation, items built and answers verified included.
    duration_ms: f64,
    #[serde(flatten)]
    step: Step,
    /// `memory_used_kb` is that of the engine's process after the operation; for an embedded engine, that of this
    /// process.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_used_kb: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fidelity: Vec<Behaviour>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// Bad input.
    #[error(
        "operation: found {found:?}; allowed: warm_up, list_tables, {known}, pipeline, pipeline_4, fidelity"
    )]
    UnknownOperation {
        /// `found` is what was asked for.
        found: String,
        /// The steps.
        known: String,
    },
    /// It was there before.
    #[error("the engine ended with {0}")]
    EngineEnded(String),
    /// It is there, or nothing is known of it, and it does not answer.
    #[error("{0}")]
    Unanswered(String),
}

impl<E: Engine> Driver<E> {
    /// Over an engine that answers; `process` is absent where that is this one.
    pub fn new(engine: E, process: Option<EngineProcess>) -> Self {
        Self { engine, process }
    }

    /// Performs an operation by its name.
    ///
    /// # Errors
    /// When there is none of that name, or the engine does not answer or is gone.
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
        // A client of its own: an engine may have closed what the last operation's left idle.
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
