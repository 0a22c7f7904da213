use bench_core::{CallError, Timed};

use crate::Item;

/// One page of a query.
#[derive(Debug)]
pub struct Page<Cursor> {
    /// Items on this page; an empty page may still have a next one.
    pub items: u32,
    /// Start of the next page; absent on the last page.
    pub next: Option<Cursor>,
}

/// Interface of the table: each method makes one call, without retries.
///
/// Every method times only the call, so `sdkCallMs` excludes building items and reading responses.
pub trait Table {
    /// Start of a page of a query.
    type Cursor;
    /// An item in the form of a batch request, which is also returned for an unprocessed item.
    type Write;

    /// Converts an item for `batch_write`.
    ///
    /// # Errors
    /// When the service's form cannot represent the item.
    fn write(&self, item: Item) -> Result<Self::Write, CallError>;

    /// Returns whether the item exists.
    ///
    /// # Errors
    /// The service's error, or the lack of an answer.
    fn get(&self, pk: &str, sk: &str) -> impl Future<Output = Result<Timed<bool>, CallError>>;

    /// Writes one item.
    ///
    /// # Errors
    /// As `get`.
    fn put(&self, item: Item) -> impl Future<Output = Result<Timed<()>, CallError>>;

    /// Returns one page of a partition, from its start or from the end of the previous page.
    ///
    /// # Errors
    /// As `get`.
    fn query(
        &self,
        pk: &str,
        from: Option<Self::Cursor>,
    ) -> impl Future<Output = Result<Timed<Page<Self::Cursor>>, CallError>>;

    /// Writes 1 to 25 items and returns those that the service left unprocessed.
    ///
    /// # Errors
    /// As `get`.
    fn batch_write(
        &self,
        writes: Vec<Self::Write>,
    ) -> impl Future<Output = Result<Timed<Vec<Self::Write>>, CallError>>;
}
