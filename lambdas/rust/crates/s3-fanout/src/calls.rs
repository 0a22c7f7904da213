use std::time::Duration;

use bench_core::{CallError, Timed};
use tokio::task::{JoinError, JoinSet};

use crate::{Bucket, Error};

/// Returns the keys of the first `count` objects, and the calls' time.
pub async fn list<B: Bucket>(bucket: &B, count: u32) -> Result<Timed<Vec<String>>, Error> {
    let (mut keys, mut time, mut from) = (Vec::new(), Duration::ZERO, None);
    loop {
        let page = bucket.list(from).await?;
        time += page.time;
        keys.extend(page.value.keys);
        from = page.value.next;
        if from.is_none() {
            break;
        }
    }
    if keys.len() < count as usize {
        return Err(Error::ObjectsMissing { found: keys.len(), expected: count });
    }
    keys.truncate(count as usize);
    Ok(Timed { value: keys, time })
}

/// Gets each object's access control list, one after another; returns the sum of the calls' times.
pub async fn one_by_one<B: Bucket>(bucket: &B, keys: Vec<String>) -> Result<Duration, Error> {
    let mut time = Duration::ZERO;
    for key in keys {
        time += checked(bucket.clone(), key).await?;
    }
    Ok(time)
}

/// Like `one_by_one`, with `concurrency` calls at a time: one begins as soon as another has ended.
pub async fn at_once<B: Bucket>(bucket: &B, keys: Vec<String>, concurrency: u32) -> Result<Duration, Error> {
    let mut waiting = keys.into_iter();
    let mut under_way = JoinSet::new();
    for key in waiting.by_ref().take(concurrency as usize) {
        under_way.spawn(checked(bucket.clone(), key));
    }
    let mut time = Duration::ZERO;
    while let Some(ended) = under_way.join_next().await {
        time += ended.map_err(unfinished)??;
        if let Some(key) = waiting.next() {
            under_way.spawn(checked(bucket.clone(), key));
        }
    }
    Ok(time)
}

/// Rejects an empty list: every object has its owner's grant.
async fn checked<B: Bucket>(bucket: B, key: String) -> Result<Duration, Error> {
    let answer = bucket.acl(key.clone()).await?;
    if answer.value == 0 { Err(Error::NoGrants(key)) } else { Ok(answer.time) }
}

fn unfinished(error: JoinError) -> CallError {
    CallError { call: "GetObjectAcl", code: "TaskFailed".into(), message: error.to_string() }
}
