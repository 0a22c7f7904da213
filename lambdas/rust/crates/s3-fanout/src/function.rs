use bench_core::{Boot, FunctionResult, Measured, Stopwatch};
use serde::Serialize;
use serde_json::Value;

use crate::{Bucket, Error, Flow, Request, calls};

/// The function of the experiment: a bucket, a flow, and the process's identity.
#[derive(Debug)]
pub struct Function<B> {
    variant: &'static str,
    boot: Boot,
    flow: Flow,
    bucket: B,
}

/// Result of one invocation.
#[derive(Debug, Clone, Serialize)]
pub struct FannedOut {
    #[serde(flatten)]
    common: FunctionResult,
    /// Maximum concurrent calls; absent for `describe`, which makes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    concurrency: Option<u32>,
}

impl<B: Bucket> Function<B> {
    /// Creates the function and ends Init. Results carry the name `variant`.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot, flow: Flow, bucket: B) -> Self {
        Self { variant, boot: boot.ready(), flow, bucket }
    }

    /// Lists the objects, gets each one's access control list, and times the work.
    ///
    /// # Errors
    /// When any part of the work fails. A failed invocation is counted too.
    pub async fn invoke(&self, event: &Value) -> Result<FannedOut, Error> {
        let invocation = self.boot.invoked();
        if let Some(common) = FunctionResult::describing(event, self.variant, invocation) {
            return Ok(FannedOut { common, concurrency: None });
        }
        let Request { count, concurrency, .. } = Request::read(event)?;
        let concurrency = self.flow.concurrency(concurrency)?;
        let stopwatch = Stopwatch::start();
        let listed = calls::list(&self.bucket, count).await?;
        let asked = match self.flow {
            Flow::Serial => calls::one_by_one(&self.bucket, listed.value).await?,
            Flow::Concurrent { .. } => calls::at_once(&self.bucket, listed.value, concurrency).await?,
        };
        let measured = Measured {
            duration: stopwatch.elapsed(),
            sdk_calls: Some(listed.time + asked),
            items: Some(count),
            ..Measured::default()
        };
        let common = FunctionResult::new(self.variant, Request::NAME, invocation, measured);
        Ok(FannedOut { common, concurrency: Some(concurrency) })
    }
}
