//! Every step that a wrong answer could make faster must detect it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use emulators::{Answer, Call, Engine, EngineProcess, Failure, Outcome, STEPS, StartError, pipeline, step};

/// Accepts everything, but stores only table names.
#[derive(Default, Clone)]
struct Forgetful {
    tables: Arc<Mutex<HashSet<String>>>,
}

/// Never answers.
struct Absent;

fn outcome(answer: Result<Answer, Failure>) -> Outcome {
    Outcome { time: Duration::from_micros(1), answer }
}

impl Engine for Forgetful {
    async fn call(&self, call: Call) -> Outcome {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let status = match call {
            Call::CreateTable { table } => tables.insert(table).then_some("CREATING"),
            Call::DeleteTable { table } => tables.remove(&table).then_some("DELETING"),
            Call::DescribeTable { table } => tables.contains(&table).then_some("ACTIVE"),
            _ => None,
        };
        outcome(Ok(Answer { status: status.map(str::to_owned), ..Answer::default() }))
    }

    fn lane(&self) -> Self {
        self.clone()
    }
}

impl Engine for Absent {
    async fn call(&self, _: Call) -> Outcome {
        outcome(Err(Failure { code: "DispatchFailure".into(), message: "connection refused".into() }))
    }

    fn lane(&self) -> Self {
        Self
    }
}

#[tokio::test]
async fn an_engine_that_keeps_nothing_is_wrong_in_every_step_that_reads() {
    let reads =
        ["get", "put", "query", "query_index", "query_paginated", "scan", "transact_write", "batch_get"];
    for name in reads {
        let found = step(name, &Forgetful::default()).await.unwrap().unwrap();
        assert!(found.wrong_answers > 0, "{name}");
        assert!(found.wrong_answer.is_some(), "{name}");
    }
}

#[tokio::test]
async fn an_engine_that_accepts_a_condition_that_must_fail_is_wrong() {
    let found = step("update", &Forgetful::default()).await.unwrap().unwrap();
    let first = found.wrong_answer.unwrap();
    assert_eq!(first, "UpdateItem: found success; expected ConditionalCheckFailedException");
}

#[tokio::test]
async fn a_step_keeps_the_time_of_every_request() {
    for (name, requests) in [("batch_write", 400), ("get", 1_000), ("update", 500), ("query_paginated", 50)] {
        let found = step(name, &Forgetful::default()).await.unwrap().unwrap();
        assert_eq!(found.latencies_ms.len(), requests, "{name}");
    }
}

#[tokio::test]
async fn a_step_ends_with_the_first_request_that_nobody_answers() {
    let error = step("get", &Absent).await.unwrap().unwrap_err().to_string();
    assert_eq!(error, "GetItem: DispatchFailure: connection refused");
}

#[tokio::test]
async fn there_is_every_step_of_the_contract() {
    assert_eq!(STEPS.len(), 13);
    for name in STEPS.iter() {
        assert!(step(name, &Forgetful::default()).await.is_some(), "{name}");
    }
}

#[tokio::test]
async fn there_is_no_step_of_another_name() {
    assert!(step("warm", &Forgetful::default()).await.is_none());
}

#[tokio::test]
async fn a_pipeline_has_a_time_for_each_of_its_fifty_tests_however_many_run_at_a_time() {
    for lanes in [1, 4] {
        let found = pipeline(&Forgetful::default(), lanes).await.unwrap();
        assert_eq!(found.step.latencies_ms.len(), 50);
        assert!(found.step.wrong_answers >= 50);
    }
}

#[tokio::test]
async fn an_engine_that_does_not_start_says_why() {
    let start = |command: &str| {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        async move { EngineProcess::start(&words, &Absent, Duration::from_secs(1)).await.map(|_| ()) }
    };
    assert!(matches!(start("false").await, Err(StartError::Ended(how)) if how == "exit status: 1"));
    assert!(matches!(start("sleep 60").await, Err(StartError::Silent(1))));
    let missing = start("/no/such/engine").await.unwrap_err().to_string();
    assert!(missing.starts_with("/no/such/engine: "), "{missing}");
}
