//! The 13 steps. Each works on the items that the previous steps left in the table.

mod conditions;
mod gets;
mod queries;
mod scan;
mod writes;

use std::sync::LazyLock;

use serde::Deserialize;

use crate::call::Engine;
use crate::items::SEEDED;
use crate::step::{Step, Unanswered};
use crate::table;

const TABLE: &str = "workload";

/// The part of the contract that the driver needs.
#[derive(Deserialize)]
struct Contract {
    steps: Vec<String>,
}

/// The operations in their required order. The list is in the contract, which the caller reads too.
pub static STEPS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let contract = include_str!("../../../../../studies/emulators/workload.json");
    serde_json::from_str::<Contract>(contract).map(|contract| contract.steps).unwrap_or_default()
});

/// Runs one step of the workload; `None` if there is none of that name.
///
/// # Errors
/// When the engine did not answer.
pub async fn step(name: &str, engine: &impl Engine) -> Option<Result<Step, Unanswered>> {
    Some(match name {
        "create_table" => create_table(engine).await,
        "batch_write" => writes::batch_write(engine).await,
        "get" => gets::get(engine).await,
        "put" => writes::put(engine).await,
        "query" => queries::query(engine).await,
        "query_index" => queries::query_index(engine).await,
        "query_paginated" => queries::query_paginated(engine).await,
        "scan" => scan::scan(engine).await,
        "update" => conditions::update(engine).await,
        "transact_write" => conditions::transact_write(engine).await,
        "batch_get" => gets::batch_get(engine).await,
        "delete" => writes::delete(engine).await,
        "delete_table" => delete_table(engine).await,
        _ => return None,
    })
}

async fn create_table(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    table::create(&mut step, engine, TABLE).await?;
    Ok(step)
}

async fn delete_table(engine: &impl Engine) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    table::delete(&mut step, engine, TABLE).await?;
    Ok(step)
}

/// Visits every index once, in an order that no engine stores: the factor is coprime to the number of items.
fn scattered(index: usize) -> usize {
    index * 7_919 % SEEDED
}
