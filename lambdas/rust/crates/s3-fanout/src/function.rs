use bench_core::{Boot, FunctionResult, Measured, Stopwatch};
use serde::Serialize;
use serde_json::Value;

use crate::{Bucket, Error, Flow, Request, calls};

/// The function of the experiment: a bucket, a way to call it, and the process's identity.
#[derive(Debug)]
pub struct Function<B> {
    variant: &'static str,
    boot: Boot,
    flow: Flow,
    bucket: B,
}

/// `FannedOut` is what one invocation returns.
#[derive(Debug, Clone, Serialize)]
pub struct FannedOut {
    #[serde(flatten)]
    common: FunctionResult,
    /// Calls that might run at the same time; `describe` makes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    concurrency: Option<u32>,
}

impl<B: Bucket> Function<B> {
    /// A function of a process, whose Init ends with it; `variant` is the name that its results carry.
    #[must_use]
    pub fn new(variant: &'static str, boot: Boot, flow: Flow, bucket: B) -> Self {
        Self { variant, boot: boot.ready(), flow, bucket }
    }

    /// Lists the objects and asks for each one's access control list, and says how long it took.
    ///
    /// # Errors
    /// Every way not to do all of it; a failed invocation counts as one, too.
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
