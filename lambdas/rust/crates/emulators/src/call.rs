use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

/// An item, or the key of one.
pub type Item = HashMap<String, Attribute>;

/// A DynamoDB value of one of the kinds that the workload uses. Each engine's own types stay in its crate.
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
    /// Any other value in a response: no item of the workload has one.
    Other,
}

/// A condition, an update or a filter, with its values.
#[derive(Debug, Clone, Default)]
pub struct Expression {
    /// For example `version = :version`.
    pub text: String,
    /// Each value under its name, including the colon.
    pub values: Item,
}

/// One write of a transaction.
#[derive(Debug, Clone)]
pub enum Write {
    /// A whole item.
    Put(Item),
    /// An update of the item with this key.
    Update {
        /// Key of the item.
        key: Item,
        /// The update expression.
        update: Expression,
    },
    /// Only a condition that must hold.
    Check {
        /// Key of the item.
        key: Item,
        /// Must be true for the item.
        condition: Expression,
    },
}

/// One request to an engine. `table` is the table's name.
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

/// A page of a Query, or of a Scan if there is no key condition.
#[derive(Debug, Clone, Default)]
pub struct Read {
    /// Name of the table.
    pub table: String,
    /// Name of the index; absent: the table itself.
    pub index: Option<String>,
    /// Present in a Query.
    pub key_condition: Option<Expression>,
    /// Selects which of the items read are returned.
    pub filter: Option<Expression>,
    /// Maximum number of items read.
    pub limit: Option<i32>,
    /// Where to start: the previous page's end.
    pub start: Option<Item>,
    /// Returns only the number of items.
    pub count_only: bool,
}

/// A response, reduced to what the steps need.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// Items; after a Get, one or none.
    pub items: Vec<Item>,
    /// Matching items of a Query or a Scan.
    pub count: usize,
    /// Items read before the filter.
    pub scanned: usize,
    /// Start of the next page.
    pub next: Option<Item>,
    /// Writes or keys of a batch that were not processed.
    pub unprocessed: usize,
    /// Table names of ListTables.
    pub tables: Vec<String>,
    /// Status in DescribeTable, for example `ACTIVE`.
    pub status: Option<String>,
}

/// A call that was refused or not answered.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Failure {
    /// The service's error code without its namespace, or the step of the SDK that failed.
    pub code: String,
    /// The engine's message.
    pub message: String,
}

/// A call's result and duration.
#[derive(Debug)]
pub struct Outcome {
    /// From the finished request to the parsed response; work before and after is not included.
    pub time: Duration,
    /// The response or the failure.
    pub answer: Result<Answer, Failure>,
}

/// An engine that replaces DynamoDB.
pub trait Engine: Send + Sync + 'static {
    /// Makes one call without retries.
    fn call(&self, call: Call) -> impl Future<Output = Outcome> + Send;

    /// Returns the same engine for another lane; over HTTP, with its own client.
    fn lane(&self) -> Self;
}
