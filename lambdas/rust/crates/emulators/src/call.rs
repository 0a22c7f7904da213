use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

/// An item, or the key of one.
pub type Item = HashMap<String, Attribute>;

/// A value as DynamoDB has it, of the kinds that the workload uses. An engine's own types stay in its own crate.
#[derive(Debug, Clone, PartialEq)]
pub enum Attribute {
    /// A text.
    S(String),
    /// A number, in decimal digits.
    N(String),
    /// Bytes.
    B(Vec<u8>),
    /// True or false.
    Bool(bool),
    /// A list.
    L(Vec<Attribute>),
    /// A map.
    M(Item),
    /// Anything else that an engine may answer: no item of the workload has it.
    Other,
}

/// A condition, an update or a filter, with the values that it names.
#[derive(Debug, Clone, Default)]
pub struct Expression {
    /// `text` is for example `version = :version`.
    pub text: String,
    /// `values` has each value under its name, the colon included.
    pub values: Item,
}

/// One write of a transaction.
#[derive(Debug, Clone)]
pub enum Write {
    /// A whole item.
    Put(Item),
    /// A change of the item with this key.
    Update {
        /// `key` is the item's.
        key: Item,
        /// `update` is the change that is made to it.
        update: Expression,
    },
    /// Nothing but a condition that must hold.
    Check {
        /// `key` is the item's.
        key: Item,
        /// `condition` must be true of it.
        condition: Expression,
    },
}

/// `Call` is one request to an engine, however the engine is reached. Tables are named by `table`.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Call {
    ListTables,
    CreateTable { table: String },
    DeleteTable { table: String },
    DescribeTable { table: String },
    Get { table: String, key: Item },
    Put { table: String, item: Item, condition: Option<Expression> },
    Update { table: String, key: Item, update: Expression, condition: Option<Expression> },
    Delete { table: String, key: Item },
    BatchWrite { table: String, puts: Vec<Item> },
    BatchGet { table: String, keys: Vec<Item> },
    Transact { table: String, writes: Vec<Write> },
    Query(Read),
    Scan(Read),
}

/// A page of a Query, or of a Scan where there is no key condition.
#[derive(Debug, Clone, Default)]
pub struct Read {
    /// Name of the table.
    pub table: String,
    /// Name of the index; absent: the table itself.
    pub index: Option<String>,
    /// Present in a Query.
    pub key_condition: Option<Expression>,
    /// `filter` chooses which of the items that were read are returned.
    pub filter: Option<Expression>,
    /// `limit` is the most items that are read.
    pub limit: Option<i32>,
    /// The last page's end.
    pub start: Option<Item>,
    /// No items, their number alone.
    pub count_only: bool,
}

/// `Answer` is what came back, as far as a step needs it.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// `items` has one or none after a Get.
    pub items: Vec<Item>,
    /// Items that match, of a Query or a Scan.
    pub count: usize,
    /// Items that were read before the filter.
    pub scanned: usize,
    /// `next` is where the next page starts.
    pub next: Option<Item>,
    /// Writes or keys that a batch left undone.
    pub unprocessed: usize,
    /// Names, of ListTables.
    pub tables: Vec<String>,
    /// `status` comes from DescribeTable, for example `ACTIVE`.
    pub status: Option<String>,
}

/// A call that was refused or not answered.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Failure {
    /// The service's own code without its namespace, or the step of the SDK that failed.
    pub code: String,
    /// `message` is the engine's own text.
    pub message: String,
}

/// `Outcome` is a call's answer or error, and how long it took.
#[derive(Debug)]
pub struct Outcome {
    /// `time` lasts from the finished request to the parsed response; what is made before and after is not timed.
    pub time: Duration,
    /// The answer, or why there is none.
    pub answer: Result<Answer, Failure>,
}

/// An engine that takes the place of DynamoDB.
pub trait Engine: Send + Sync + 'static {
    /// Asks it once, with no retry.
    fn call(&self, call: Call) -> impl Future<Output = Outcome> + Send;

    /// The same engine for another lane: over HTTP a client of its own.
    fn lane(&self) -> Self;
}
