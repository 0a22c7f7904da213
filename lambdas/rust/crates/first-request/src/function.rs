use bench_core::{Boot, FunctionResult, Measured, Stopwatch};
use dynamodb::Table;
use serde_json::Value;

use crate::item_key::OPERATION;
use crate::{Error, ItemKey, NoSteps, Steps};

/// The function of the experiment: its steps before the call, a table, and the process's identity.
#[derive(Debug)]
pub struct Function<T, S = NoSteps> {
    variant: &'static str,
    boot: Boot,
    table: T,
    steps: S,
}

impl<T: Table> Function<T> {
    /// Creates a function that leaves all steps to the SDK. Results carry the name `variant`.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot, table: T) -> Self {
        Self { variant, boot: boot.ready(), table, steps: NoSteps }
    }
}

impl<T: Table, S: Steps> Function<T, S> {
    /// Creates a function that runs `steps` before each call.
    #[must_use]
    pub fn after(steps: S, variant: &'static str, boot: Boot, table: T) -> Self {
        Self { variant, boot: boot.ready(), table, steps }
    }

    /// Reads the item that an event requests, and times the work.
    ///
    /// # Errors
    /// When any part of the work fails. A failed invocation is counted too.
    pub async fn invoke(&self, event: &Value) -> Result<FunctionResult, Error> {
        let invocation = self.boot.invoked();
        if let Some(described) = FunctionResult::describing(event, self.variant, invocation) {
            return Ok(described);
        }
        let key = ItemKey::read(event)?;
        let stopwatch = Stopwatch::start();
        let connections = self.steps.take().await?;
        let answer = self.table.get(&key.pk, &key.sk).await?;
        if !answer.value {
            return Err(Error::ItemNotFound(format!("pk {:?}, sk {:?}", key.pk, key.sk)));
        }
        let measured = Measured {
            duration: stopwatch.elapsed(),
            sdk_calls: Some(answer.time),
            items: Some(1),
            connections,
            ..Measured::default()
        };
        Ok(FunctionResult::new(self.variant, OPERATION, invocation, measured))
    }
}
