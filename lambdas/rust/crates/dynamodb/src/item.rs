use std::time::{SystemTime, UNIX_EPOCH};

/// Characters of `data`. With its keys, an item is a little over 1 KB: two write units, one read unit.
const DATA_CHARACTERS: usize = 1_000;

/// An item of the table: keys `pk` and `sk` (S), `data` (S), `timestamp` (N).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Partition key.
    pub pk: String,
    /// Sort key.
    pub sk: String,
    /// 1,000 characters.
    pub data: String,
    /// Creation time in milliseconds since 1970.
    pub timestamp: u64,
}

impl Item {
    /// Creates an item with data and the current time.
    #[must_use]
    pub fn new(pk: String, sk: String) -> Self {
        // A clock before 1970 must not fail a measurement.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { pk, sk, data: "x".repeat(DATA_CHARACTERS), timestamp: since.as_millis() as u64 }
    }
}
