use bench_core::{Fields, InvalidInput};
use serde_json::Value;

const NAMES: [&str; 4] = ["get", "put", "query", "batch_write"];
const FIELDS: [&str; 4] = ["operation", "pk", "sk", "itemCount"];
const LONGEST_KEY: usize = 256;
/// Maximum items of one BatchWriteItem:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>
const LARGEST_BATCH: u32 = 25;

const SEEDED_PARTITION: &str = "seed";
const SEEDED_ITEM: &str = "item-00";

/// The operation that an event requests, with its defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Reads one item by its key.
    Get {
        /// Partition key.
        pk: String,
        /// Sort key.
        sk: String,
    },
    /// Writes one new item.
    Put {
        /// Partition key.
        pk: String,
    },
    /// Reads all items of a partition.
    Query {
        /// Partition key.
        pk: String,
    },
    /// Writes several new items in one call.
    BatchWrite {
        /// Partition key.
        pk: String,
        /// 1 to 25.
        item_count: u32,
    },
}

impl Operation {
    /// Parses an event, plain or in the HTTP shape. By default, writes go to a partition named after `boot_id`.
    ///
    /// # Errors
    /// On the first invalid field.
    pub fn read(event: &Value, boot_id: &str) -> Result<Self, InvalidInput> {
        let fields = Fields::read(event, &FIELDS)?;
        let name = fields.operation(&NAMES)?;
        if name != "get" {
            fields.refuse("sk", "get")?;
        }
        if name != "batch_write" {
            fields.refuse("itemCount", "batch_write")?;
        }
        let pk = fields.text("pk", LONGEST_KEY)?.map(String::from);
        Ok(match name {
            "get" => Self::Get {
                pk: pk.unwrap_or_else(|| SEEDED_PARTITION.into()),
                sk: fields.text("sk", LONGEST_KEY)?.unwrap_or(SEEDED_ITEM).into(),
            },
            "put" => Self::Put { pk: pk.unwrap_or_else(|| format!("put-{boot_id}")) },
            "query" => Self::Query { pk: pk.unwrap_or_else(|| SEEDED_PARTITION.into()) },
            _ => Self::BatchWrite {
                pk: pk.unwrap_or_else(|| format!("batch-{boot_id}")),
                item_count: fields.count("itemCount", LARGEST_BATCH)?.unwrap_or(LARGEST_BATCH),
            },
        })
    }

    /// The operation's name in events and results.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Get { .. } => "get",
            Self::Put { .. } => "put",
            Self::Query { .. } => "query",
            Self::BatchWrite { .. } => "batch_write",
        }
    }
}
