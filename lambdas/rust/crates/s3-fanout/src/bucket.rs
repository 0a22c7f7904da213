use bench_core::{CallError, Timed};

/// One answer of a listing.
#[derive(Debug)]
pub struct Page {
    /// Keys of the objects, in the service's order.
    pub keys: Vec<String>,
    /// `next` is where the next page begins; absent on the last.
    pub next: Option<String>,
}

/// A prefix of a bucket as the operation sees it: each method is one call of the service, never retried.
///
/// Clones share one client: calls that run at the same time have a clone each.
pub trait Bucket: Clone + Send + 'static {
    /// One page of the objects, from the start or from where the page before it ended.
    ///
    /// # Errors
    /// What the service answered, or that it did not.
    fn list(&self, from: Option<String>) -> impl Future<Output = Result<Timed<Page>, CallError>> + Send;

    /// `acl` returns the number of grants in an object's access control list.
    ///
    /// # Errors
    /// As `list`.
    fn acl(&self, key: String) -> impl Future<Output = Result<Timed<usize>, CallError>> + Send;
}
