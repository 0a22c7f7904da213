use std::time::{Duration, Instant};

use dynoxide::Database;
use dynoxide::errors::DynoxideError;
use emulators::{Call, Engine, Failure, Outcome};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::wire;

/// dynoxide in this process, through the crate's own calls.
pub struct EmbeddedEngine {
    database: Database,
}

impl EmbeddedEngine {
    /// Opens an empty in-memory database.
    ///
    /// # Errors
    /// When SQLite cannot open it.
    pub fn open() -> Result<Self, String> {
        Ok(Self { database: Database::memory().map_err(|error| error.to_string())? })
    }
}

impl Engine for EmbeddedEngine {
    async fn call(&self, call: Call) -> Outcome {
        let database = &self.database;
        let body = wire::body(&call);
        match call {
            Call::ListTables => timed(body, |request| database.list_tables(request)),
            Call::CreateTable { .. } => timed(body, |request| database.create_table(request)),
            Call::DeleteTable { .. } => timed(body, |request| database.delete_table(request)),
            Call::DescribeTable { .. } => timed(body, |request| database.describe_table(request)),
            Call::Get { .. } => timed(body, |request| database.get_item(request)),
            Call::Put { .. } => timed(body, |request| database.put_item(request)),
            Call::Update { .. } => timed(body, |request| database.update_item(request)),
            Call::Delete { .. } => timed(body, |request| database.delete_item(request)),
            Call::BatchWrite { .. } => timed(body, |request| database.batch_write_item(request)),
            Call::BatchGet { .. } => timed(body, |request| database.batch_get_item(request)),
            Call::Transact { .. } => timed(body, |request| database.transact_write_items(request)),
            Call::Query(_) => timed(body, |request| database.query(request)),
            Call::Scan(_) => timed(body, |request| database.scan(request)),
        }
    }

    fn lane(&self) -> Self {
        Self { database: self.database.clone() }
    }
}

/// Times only the call: the request is built before it, and the response parsed after it.
fn timed<Request: DeserializeOwned, Response: Serialize>(
    body: Value,
    call: impl FnOnce(Request) -> Result<Response, DynoxideError>,
) -> Outcome {
    let request = match serde_json::from_value(body) {
        Ok(request) => request,
        Err(error) => {
            return Outcome { time: Duration::ZERO, answer: Err(unread(&error.to_string())) };
        }
    };
    let start = Instant::now();
    let response = call(request);
    let time = start.elapsed();
    let answer = response.map_err(failure).and_then(|response| {
        let body = serde_json::to_value(response)
            .map_err(|error| Failure { code: "UnreadableAnswer".into(), message: error.to_string() })?;
        Ok(wire::answer(&body))
    });
    Outcome { time, answer }
}

/// Classifies a value that the crate refuses while parsing a request. The crate marks most of these errors; like its
/// server, this recognises the errors of numbers by their text.
fn unread(message: &str) -> Failure {
    let of_numbers = ["significant digits", "Number overflow", "Number underflow"];
    let is_validation =
        message.starts_with("VALIDATION") || of_numbers.iter().any(|text| message.contains(text));
    let code = if is_validation { "ValidationException" } else { "SerializationException" };
    Failure { code: code.into(), message: message.into() }
}

fn failure(error: DynoxideError) -> Failure {
    let code = error.error_type().rsplit('#').next().unwrap_or_default().to_owned();
    Failure { code, message: error.to_string() }
}
