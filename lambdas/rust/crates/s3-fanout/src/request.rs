use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const FIELDS: [&str; 4] = ["operation", "count", "concurrency", "poolSize"];
/// Number of objects that the bucket is seeded with.
const OBJECTS: u32 = 100;

/// The request of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Number of objects, 1 to 100.
    pub count: u32,
    /// Concurrent calls, 1 to 100; absent: the variant's default.
    pub concurrency: Option<u32>,
    /// Connections that boto3 keeps. It is read but not used, because the SDK for Rust has no such limit.
    pub pool_size: Option<u32>,
}

impl Request {
    /// The only operation.
    pub const NAME: &'static str = "fanout";

    /// Parses an event, plain or in the HTTP shape.
    ///
    /// # Errors
    /// On the first invalid field.
    pub fn read(event: &Value) -> Result<Self, InvalidInput> {
        let fields = Fields::read(event, &FIELDS)?;
        fields.operation(&[Self::NAME])?;
        Ok(Self {
            count: fields.count("count", OBJECTS)?.unwrap_or(OBJECTS),
            concurrency: fields.count("concurrency", OBJECTS)?,
            pool_size: fields.count("poolSize", OBJECTS)?,
        })
    }
}
