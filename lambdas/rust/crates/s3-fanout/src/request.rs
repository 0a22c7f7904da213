use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const FIELDS: [&str; 4] = ["operation", "count", "concurrency", "poolSize"];
/// `OBJECTS` is the number of objects that the bucket is seeded with.
const OBJECTS: u32 = 100;

/// `Request` is what an event asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// `count` is the number of objects, 1 to 100.
    pub count: u32,
    /// Calls at the same time, 1 to 100; absent: as many as the variant usually makes.
    pub concurrency: Option<u32>,
    /// Connections that boto3 keeps. The SDK for Rust has no such limit: read, and not used.
    pub pool_size: Option<u32>,
}

impl Request {
    /// The only operation.
    pub const NAME: &'static str = "fanout";

    /// Reads an event, plain or in the HTTP shape.
    ///
    /// # Errors
    /// The first field that cannot be used.
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
