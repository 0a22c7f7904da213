use std::time::Duration;

use bench_core::{Boot, FunctionResult, Invocation, Measured, Stopwatch};
use serde_json::Value;

use crate::{Error, Item, Operation, Table, batch};

/// The function of the experiment: a table, and the process's identity.
#[derive(Debug)]
pub struct Function<T> {
    variant: &'static str,
    boot: Boot,
    table: T,
}

impl<T: Table> Function<T> {
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
        let operation = Operation::read(event, invocation.boot_id())?;
        let name = operation.name();
        let stopwatch = Stopwatch::start();
        let measured = self.execute(operation, invocation).await?;
        let measured = Measured { duration: stopwatch.elapsed(), ..measured };
        Ok(FunctionResult::new(self.variant, name, invocation, measured))
    }

    async fn execute(&self, operation: Operation, invocation: Invocation<'_>) -> Result<Measured, Error> {
        let number = invocation.number;
        match operation {
            Operation::Get { pk, sk } => self.get(&pk, &sk).await,
            Operation::Put { pk } => {
                let answer = self.table.put(Item::new(pk, format!("item-{number}"))).await?;
                Ok(measured(answer.time, 1))
            }
            Operation::Query { pk } => self.query(&pk).await,
            Operation::BatchWrite { pk, item_count } => {
                let sort_keys = (0..item_count).map(|index| format!("item-{number}-{index:02}"));
                let items = sort_keys.map(|sk| Item::new(pk.clone(), sk)).collect();
                batch::write(&self.table, items).await
            }
        }
    }

    async fn get(&self, pk: &str, sk: &str) -> Result<Measured, Error> {
        let answer = self.table.get(pk, sk).await?;
        if answer.value {
            Ok(measured(answer.time, 1))
        } else {
            Err(Error::ItemNotFound(format!("pk {pk:?}, sk {sk:?}")))
        }
    }

    /// Reads all pages, and sums items and times.
    async fn query(&self, pk: &str) -> Result<Measured, Error> {
        let (mut sdk_calls, mut items, mut from) = (Duration::ZERO, 0, None);
        loop {
            let answer = self.table.query(pk, from).await?;
            sdk_calls += answer.time;
            items += answer.value.items;
            match answer.value.next {
                Some(next) => from = Some(next),
                None if items == 0 => return Err(Error::ItemNotFound(format!("pk {pk:?}"))),
                None => return Ok(measured(sdk_calls, items)),
            }
        }
    }
}

fn measured(sdk_calls: Duration, items: u32) -> Measured {
    Measured { sdk_calls: Some(sdk_calls), items: Some(items), ..Measured::default() }
}
