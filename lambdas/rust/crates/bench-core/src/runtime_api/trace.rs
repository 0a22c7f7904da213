use std::cell::RefCell;

thread_local! {
    static CURRENT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Returns the X-Ray header of this thread's current invocation; `None` in Init and between invocations.
///
/// Other runtimes set the environment variable `_X_AMZN_TRACE_ID`, which the SDK reads. Setting it is unsafe if
/// another thread may read the environment, so clients must call this function.
#[must_use]
pub fn trace_id() -> Option<String> {
    CURRENT.with_borrow(Clone::clone)
}

/// Sets the header during the work. With one thread and one invocation, no other work can see it.
pub(super) async fn with<T>(trace_id: Option<&str>, work: impl Future<Output = T>) -> T {
    CURRENT.set(trace_id.map(String::from));
    let value = work.await;
    CURRENT.set(None);
    value
}
