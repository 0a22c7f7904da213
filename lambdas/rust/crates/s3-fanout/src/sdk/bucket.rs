use aws_sdk_s3::Client;
use bench_core::sdk_failure::call_error;
use bench_core::{CallError, Stopwatch, Timed};

use crate::{Bucket, Page};

/// A prefix of an S3 bucket, through the SDK.
///
/// Requests are built before the stopwatch starts: it times only `send`, with signing and parsing.
#[derive(Debug, Clone)]
pub struct SdkBucket {
    client: Client,
    name: String,
    prefix: String,
}

impl SdkBucket {
    /// Wraps the objects below `prefix` of the bucket `name`; the client must not retry.
    #[must_use]
    pub fn new(client: Client, name: String, prefix: String) -> Self {
        Self { client, name, prefix }
    }
}

impl Bucket for SdkBucket {
    async fn list(&self, from: Option<String>) -> Result<Timed<Page>, CallError> {
        let request = self.client.list_objects_v2().bucket(&self.name).prefix(&self.prefix);
        let request = request.set_continuation_token(from);
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        let output = answer.value.map_err(|error| call_error("ListObjectsV2", error))?;
        let next = output.next_continuation_token;
        let keys = output.contents.into_iter().flatten().filter_map(|object| object.key).collect();
        Ok(Timed { value: Page { keys, next }, time: answer.time })
    }

    async fn acl(&self, key: String) -> Result<Timed<usize>, CallError> {
        let request = self.client.get_object_acl().bucket(&self.name).key(key);
        let stopwatch = Stopwatch::start();
        let answer = stopwatch.timed(request.send().await);
        let output = answer.value.map_err(|error| call_error("GetObjectAcl", error))?;
        Ok(Timed { value: output.grants().len(), time: answer.time })
    }
}
