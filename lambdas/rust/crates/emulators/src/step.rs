use std::fmt::Display;

use serde::Serialize;

use crate::call::{Answer, Call, Engine, Failure, Item};

/// Outcome of an operation: the time of every request, and whether the answers were correct.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Time of each request, in order, by this process's monotonic clock.
    pub latencies_ms: Vec<f64>,
    /// Items written, read or changed.
    pub items_count: usize,
    /// Answers that differ from the workload's own arithmetic.
    pub wrong_answers: usize,
    /// The first wrong answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_answer: Option<String>,
}

/// The SDK's error codes for a missing answer.
const UNANSWERED: [&str; 3] = ["DispatchFailure", "TimeoutError", "ResponseError"];

/// The engine has ended or hangs; the step makes no more calls.
#[derive(Debug, thiserror::Error)]
#[error("{call}: {failure}")]
pub struct Unanswered {
    call: &'static str,
    failure: Failure,
}

impl Step {
    /// Makes a call and expects a response. Returns `None` if the engine refused it, which counts as a wrong answer.
    ///
    /// # Errors
    /// When the engine did not answer.
    pub async fn ask(&mut self, engine: &impl Engine, call: Call) -> Result<Option<Answer>, Unanswered> {
        let name = name_of(&call);
        match self.outcome(engine, call).await? {
            Ok(answer) => Ok(Some(answer)),
            Err(failure) => {
                self.wrong(format!("{name}: found {failure}; expected an answer"));
                Ok(None)
            }
        }
    }

    /// Makes a call that must be refused with `code`.
    ///
    /// # Errors
    /// When the engine did not answer.
    pub async fn ask_refused(
        &mut self,
        engine: &impl Engine,
        call: Call,
        code: &str,
    ) -> Result<(), Unanswered> {
        let name = name_of(&call);
        match self.outcome(engine, call).await? {
            Err(failure) if failure.code == code => {}
            Err(failure) => self.wrong(format!("{name}: found {failure}; expected {code}")),
            Ok(_) => self.wrong(format!("{name}: found success; expected {code}")),
        }
        Ok(())
    }

    async fn outcome(
        &mut self,
        engine: &impl Engine,
        call: Call,
    ) -> Result<Result<Answer, Failure>, Unanswered> {
        let name = name_of(&call);
        let outcome = engine.call(call).await;
        if let Err(failure) = &outcome.answer
            && UNANSWERED.contains(&failure.code.as_str())
        {
            return Err(Unanswered { call: name, failure: failure.clone() });
        }
        self.latencies_ms.push(outcome.time.as_secs_f64() * 1e3);
        Ok(outcome.answer)
    }

    /// Counts `found` items, and checks that there are `expected`.
    pub fn count(&mut self, what: &str, found: usize, expected: usize) {
        self.items_count += found;
        self.expect(what, found, expected);
    }

    /// Records a wrong answer if the value is not the expected one.
    pub fn expect<Value: PartialEq + Display>(&mut self, what: &str, found: Value, expected: Value) {
        if found != expected {
            self.wrong(format!("{what}: found {found}; expected {expected}"));
        }
    }

    /// Records a wrong answer if any attribute of the item differs from what was written.
    pub fn expect_item(&mut self, what: &str, found: Option<&Item>, expected: &Item) {
        if found != Some(expected) {
            let found = found.map_or("nothing".into(), |item| format!("{} attributes", item.len()));
            self.wrong(format!("{what}: found {found}; expected the item as it was written"));
        }
    }

    /// Adds the wrong answers of another step, without its times.
    pub fn verified(&mut self, by: Self) {
        self.wrong_answers += by.wrong_answers;
        self.wrong_answer = self.wrong_answer.take().or(by.wrong_answer);
    }

    fn wrong(&mut self, detail: String) {
        self.wrong_answers += 1;
        self.wrong_answer.get_or_insert(detail);
    }
}

/// Returns DynamoDB's name of the call.
#[must_use]
pub fn name_of(call: &Call) -> &'static str {
    match call {
        Call::ListTables => "ListTables",
        Call::CreateTable { .. } => "CreateTable",
        Call::DeleteTable { .. } => "DeleteTable",
        Call::DescribeTable { .. } => "DescribeTable",
        Call::Get { .. } => "GetItem",
        Call::Put { .. } => "PutItem",
        Call::Update { .. } => "UpdateItem",
        Call::Delete { .. } => "DeleteItem",
        Call::BatchWrite { .. } => "BatchWriteItem",
        Call::BatchGet { .. } => "BatchGetItem",
        Call::Transact { .. } => "TransactWriteItems",
        Call::Query(_) => "Query",
        Call::Scan(_) => "Scan",
    }
}
