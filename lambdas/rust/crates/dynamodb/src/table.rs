use bench_core::{CallError, Timed};

use crate::Item;

/// One page of a query.
#[derive(Debug)]
pub struct Page<Cursor> {
    /// Items on this page; a page may be empty and yet have a next.
    pub items: u32,
    /// `next` is where the next page begins; absent on the last.
    pub next: Option<Cursor>,
}

/// The table as the operations see it: each method is one call of the service, never retried.
///
/// Every method times the call alone, so that items built and responses counted are not in `sdkCallMs`.
pub trait Table {
    /// `Cursor` is where a page of a query begins.
    type Cursor;
    /// An item in the form that the service takes in a batch, and gives back when it leaves one unprocessed.
    type Write;

    /// An item made ready for `batch_write`.
    ///
    /// # Errors
    /// When the service's form cannot hold the item.
    fn write(&self, item: Item) -> Result<Self::Write, CallError>;

    /// Whether the item is there.
    ///
    /// # Errors
    /// What the service answered, or that it did not.
    fn get(&self, pk: &str, sk: &str) -> impl Future<Output = Result<Timed<bool>, CallError>>;

    /// Writes one item.
    ///
    /// # Errors
    /// As `get`.
    fn put(&self, item: Item) -> impl Future<Output = Result<Timed<()>, CallError>>;

    /// One page of a partition, from the start or from where the page before it ended.
    ///
    /// # Errors
    /// As `get`.
    fn query(
        &self,
        pk: &str,
        from: Option<Self::Cursor>,
    ) -> impl Future<Output = Result<Timed<Page<Self::Cursor>>, CallError>>;

    /// Writes 1 to 25 items and gives back those that the service left unprocessed.
    ///
    /// # Errors
    /// As `get`.
    fn batch_write(
        &self,
        writes: Vec<Self::Write>,
    ) -> impl Future<Output = Result<Timed<Vec<Self::Write>>, CallError>>;
}
