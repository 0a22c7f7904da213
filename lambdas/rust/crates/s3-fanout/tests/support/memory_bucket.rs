use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bench_core::{CallError, Timed};
use s3_fanout::{Bucket, Page};

/// `CALL` is the time of each call, by the paused clock.
pub const CALL: Duration = Duration::from_millis(15);
const PAGE: usize = 60;

/// A bucket in memory whose calls take 15 ms each; it notes what was asked and how many calls ran at once.
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
    /// `new` makes a bucket of so many objects, a page of a listing holding 60; `failing` is the object whose call is
    /// refused.
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

    /// Keys asked for, sorted.
    pub fn asked(&self) -> Vec<String> {
        let mut asked = self.0.asked.lock().unwrap().clone();
        asked.sort();
        asked
    }

    /// Listing calls, and the most calls that ran at the same time.
    pub fn counts(&self) -> (usize, usize) {
        (self.0.listings.load(Ordering::SeqCst), self.0.most.load(Ordering::SeqCst))
    }
}

/// The key of an object of the seed.
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
