use std::cell::RefCell;

thread_local! {
    static CURRENT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// X-Ray's header of the invocation that this thread serves; nothing in Init and between invocations.
///
/// Other runtimes put it into the environment as `_X_AMZN_TRACE_ID`, where the SDK looks for it; to write there is
/// unsafe as soon as another thread may read, so a client has to ask here.
#[must_use]
pub fn trace_id() -> Option<String> {
    CURRENT.with_borrow(Clone::clone)
}

/// Sets the header for as long as the work takes. One thread, one invocation: there is no other work to see it.
pub(super) async fn with<T>(trace_id: Option<&str>, work: impl Future<Output = T>) -> T {
    CURRENT.set(trace_id.map(String::from));
    let value = work.await;
    CURRENT.set(None);
    value
}
