use lambda_runtime::{LambdaEvent, service_fn};
use serde::Serialize;
use serde_json::Value;

use crate::{ErrorType, Reported};

/// `StartResult` is what a variant's `main` returns: an error ends the process, and Init with it.
pub type StartResult = Result<(), lambda_runtime::Error>;

/// Answers invocations until Lambda ends the process.
///
/// `handle` takes the event as it came and returns the result, or an error that Lambda reports by its name.
///
/// # Errors
/// When the Runtime API cannot be reached or breaks off.
pub async fn serve<R, E>(handle: impl AsyncFn(Value) -> Result<R, E>) -> StartResult
where
    R: Serialize,
    E: ErrorType,
{
    let handle = &handle;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| {
        // Boxed, for the runtime's layers over the SDK's futures nest deeper than the compiler follows.
        let outcome = Box::pin(handle(event.payload));
        async { outcome.await.map_err(Reported) }
    }))
    .await
}
