use bench_core::{Boot, Fields, FunctionResult, Invocation, Measured, Stopwatch};
use serde_json::Value;

use crate::{Batches, Error, ITEMS, Item};

/// The operation's name in events and results.
pub const OPERATION: &str = "batch_write_get";

/// The function of the experiment: a table, and the process's identity.
#[derive(Debug)]
pub struct Function<T> {
    variant: &'static str,
    boot: Boot,
    table: T,
}

impl<T: Batches> Function<T> {
    /// Creates the function and ends Init. Results carry the name `variant`.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot, table: T) -> Self {
        Self { variant, boot: boot.ready(), table }
    }

    /// Handles one event and times the work.
    ///
    /// # Errors
    /// When any part of the work fails. A failed invocation is counted too.
    pub async fn invoke(&self, event: &Value) -> Result<FunctionResult, Error> {
        let invocation = self.boot.invoked();
        if let Some(described) = FunctionResult::describing(event, self.variant, invocation) {
            return Ok(described);
        }
        Fields::read(event, &["operation"])?.operation(&[OPERATION])?;
        let stopwatch = Stopwatch::start();
        let measured = self.write_and_read(invocation).await?;
        let measured = Measured { duration: stopwatch.elapsed(), ..measured };
        Ok(FunctionResult::new(self.variant, OPERATION, invocation, measured))
    }

    async fn write_and_read(&self, invocation: Invocation<'_>) -> Result<Measured, Error> {
        let (pk, number) = (format!("batch-{}", invocation.boot_id()), invocation.number);
        let written: Vec<_> =
            (0..ITEMS).map(|place| Item::new(&pk, format!("item-{number}-{place}"), place)).collect();
        let write = self.table.write(&written).await?;
        if write.value > 0 {
            return Err(Error::ItemsUnprocessed(write.value));
        }
        let read = self.table.read(&written).await?;
        let same = written.iter().filter(|item| read.value.contains(item)).count();
        if same < written.len() {
            return Err(Error::ItemsDiffer(same));
        }
        Ok(Measured {
            sdk_calls: Some(write.time + read.time),
            items: Some(ITEMS),
            value: Some(read.value.iter().map(Item::worth).sum()),
            ..Measured::default()
        })
    }
}
