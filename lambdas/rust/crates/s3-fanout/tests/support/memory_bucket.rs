use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bench_core::{CallError, Timed};
use s3_fanout::{Bucket, Page};

/// Duration of each call on the paused clock.
pub const CALL: Duration = Duration::from_millis(15);
const PAGE: usize = 60;

/// An in-memory bucket whose calls take 15 ms each. It records the keys and the maximum number of concurrent calls.
#[derive(Debug, Clone)]
pub struct MemoryBucket(Arc<State>);

#[derive(Debug)]
struct State {
    objects: usize,
    grants: usize,
    failing: Option<usize>,
    asked: Mutex<Vec<String>>,
    listings: AtomicUsize,
    under_way: AtomicUsize,
    most: AtomicUsize,
}

impl MemoryBucket {
    /// Creates a bucket of `objects` objects, 60 per page; the call for the object `failing` fails.
    pub fn new(objects: usize, grants: usize, failing: Option<usize>) -> Self {
        Self(Arc::new(State {
            objects,
            grants,
            failing,
            asked: Mutex::default(),
            listings: AtomicUsize::default(),
            under_way: AtomicUsize::default(),
            most: AtomicUsize::default(),
        }))
    }

    /// Returns the requested keys, sorted.
    pub fn asked(&self) -> Vec<String> {
        let mut asked = self.0.asked.lock().unwrap().clone();
        asked.sort();
        asked
    }

    /// Returns the number of listing calls and the maximum number of concurrent calls.
    pub fn counts(&self) -> (usize, usize) {
        (self.0.listings.load(Ordering::SeqCst), self.0.most.load(Ordering::SeqCst))
    }
}

/// Returns the key of a seeded object.
pub fn key(index: usize) -> String {
    format!("fanout/object-{index:03}")
}

impl Bucket for MemoryBucket {
    async fn list(&self, from: Option<String>) -> Result<Timed<Page>, CallError> {
        let state = &self.0;
        state.listings.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(CALL).await;
        let start = from.map_or(0, |token| token.parse().unwrap());
        let end = state.objects.min(start + PAGE);
        let next = (end < state.objects).then(|| end.to_string());
        Ok(Timed { value: Page { keys: (start..end).map(key).collect(), next }, time: CALL })
    }

    async fn acl(&self, asked: String) -> Result<Timed<usize>, CallError> {
        let state = &self.0;
        let now = state.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        state.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(CALL).await;
        state.under_way.fetch_sub(1, Ordering::SeqCst);
        if state.failing.map(key).as_ref() == Some(&asked) {
            let code = "AccessDenied".to_owned();
            return Err(CallError { call: "GetObjectAcl", message: format!("{code}: no"), code });
        }
        state.asked.lock().unwrap().push(asked);
        Ok(Timed { value: state.grants, time: CALL })
    }
}
