//! The database work of a test suite: fifty small tests, each with its own table.

use std::thread;
use std::time::Instant;

use crate::call::{Call, Engine, Read};
use crate::items::{expression, key, medium, number, text};
use crate::step::{Step, Unanswered};
use crate::table;

const TESTS: usize = 50;
const ITEMS: usize = 20;

/// Outcome of the tests.
#[derive(Debug)]
pub struct Pipeline {
    /// A time for each test.
    pub step: Step,
    /// From the start of the first test to the end of the last one.
    pub total_ms: f64,
}

/// Runs fifty tests in `lanes` lanes. Like a test runner's workers, each lane has its own thread and client.
///
/// # Errors
/// When the engine did not answer, or the system cannot start a thread.
pub async fn pipeline<E: Engine>(engine: &E, lanes: usize) -> Result<Pipeline, Box<dyn std::error::Error>> {
    let clients: Vec<E> = (0..lanes).map(|_| engine.lane()).collect();
    let start = Instant::now();
    let threads: Vec<_> = clients
        .into_iter()
        .enumerate()
        .map(|(lane, client)| {
            thread::spawn(move || -> Result<Step, String> {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .map_err(|error| error.to_string())?;
                runtime.block_on(tests_of(&client, lane, lanes)).map_err(|error| error.to_string())
            })
        })
        .collect();
    let ended: Vec<_> = threads.into_iter().map(thread::JoinHandle::join).collect();
    let total_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut step = Step::default();
    for lane in ended {
        let of_lane = lane.map_err(|_| "a lane of tests panicked")??;
        step.latencies_ms.extend(&of_lane.latencies_ms);
        step.items_count += of_lane.items_count;
        step.verified(of_lane);
    }
    step.expect("tests that ran", step.latencies_ms.len(), TESTS);
    Ok(Pipeline { step, total_ms })
}

async fn tests_of(engine: &impl Engine, lane: usize, lanes: usize) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    for number in (lane..TESTS).step_by(lanes) {
        let start = Instant::now();
        let test = test(engine, &format!("test-{lanes}-{number}")).await?;
        step.latencies_ms.push(start.elapsed().as_secs_f64() * 1e3);
        step.items_count += test.items_count;
        step.verified(test);
    }
    Ok(step)
}

/// Creates a table, writes items, reads one and all, makes one valid and one refused update, and deletes.
async fn test(engine: &impl Engine, name: &str) -> Result<Step, Unanswered> {
    let mut step = Step::default();
    let table = || name.to_owned();
    table::create(&mut step, engine, name).await?;
    for index in 0..ITEMS {
        let call = Call::Put { table: table(), item: medium("test", index, index), condition: None };
        step.items_count += usize::from(step.ask(engine, call).await?.is_some());
    }
    if let Some(answer) = step.ask(engine, Call::Get { table: table(), key: key("test", 7) }).await? {
        step.expect_item("GetItem", answer.items.first(), &medium("test", 7, 7));
    }
    let all = Read {
        table: table(),
        key_condition: Some(expression("pk = :pk", [(":pk", text("test"))])),
        ..Read::default()
    };
    if let Some(answer) = step.ask(engine, Call::Query(all)).await? {
        step.expect("items of the test's Query", answer.items.len(), ITEMS);
    }
    let update = |version: usize| Call::Update {
        table: table(),
        key: key("test", 3),
        update: expression("SET version = :next", [(":next", number(2))]),
        condition: Some(expression("version = :version", [(":version", number(version))])),
    };
    step.ask(engine, update(1)).await?;
    step.ask_refused(engine, update(1), "ConditionalCheckFailedException").await?;
    step.ask(engine, Call::Delete { table: table(), key: key("test", 3) }).await?;
    if let Some(answer) = step.ask(engine, Call::Get { table: table(), key: key("test", 3) }).await? {
        step.expect("items after the delete", answer.items.len(), 0);
    }
    table::delete(&mut step, engine, name).await?;
    Ok(step)
}
