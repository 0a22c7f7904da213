use bench_core::{Boot, FunctionResult, Measured, Stopwatch};
use dynamodb::Table;
use serde_json::Value;

use crate::item_key::OPERATION;
use crate::{Error, ItemKey, NoSteps, Steps};

/// The function of the experiment: what it does by hand, a table, and the process's identity.
#[derive(Debug)]
pub struct Function<T, S = NoSteps> {
    variant: &'static str,
    boot: Boot,
    table: T,
    steps: S,
}

impl<T: Table> Function<T> {
    /// A function that leaves everything to the SDK; `variant` is the name that its results carry.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot, table: T) -> Self {
        Self { variant, boot: boot.ready(), table, steps: NoSteps }
    }
}

impl<T: Table, S: Steps> Function<T, S> {
    /// A function that takes its steps before each call.
    #[must_use]
    pub fn after(steps: S, variant: &'static str, boot: Boot, table: T) -> Self {
        Self { variant, boot: boot.ready(), table, steps }
    }

    /// Reads the item that one event asks for and says how long it took.
    ///
    /// # Errors
    /// Every way not to do all of it; a failed invocation counts as one, too.
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
