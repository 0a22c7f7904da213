use bench_core::{CallError, Timed};

/// One page of a listing.
#[derive(Debug)]
pub struct Page {
    /// Keys of the objects, in the service's order.
    pub keys: Vec<String>,
    /// Start of the next page; absent on the last page.
    pub next: Option<String>,
}

/// Interface of a prefix of a bucket: each method makes one call, without retries.
///
/// Clones share one client, so that each concurrent call has its own clone.
pub trait Bucket: Clone + Send + 'static {
    /// Returns the first page of the objects, or the one that starts at `from`.
    ///
    /// # Errors
    /// The service's error, or the lack of an answer.
    fn list(&self, from: Option<String>) -> impl Future<Output = Result<Timed<Page>, CallError>> + Send;

    /// Returns the number of grants in an object's access control list.
    ///
    /// # Errors
    /// As `list`.
    fn acl(&self, key: String) -> impl Future<Output = Result<Timed<usize>, CallError>> + Send;
}
