use lambda_runtime::{LambdaEvent, service_fn};
use serde::Serialize;
use serde_json::Value;

use crate::{ErrorType, Reported};

/// Result of a variant's `main`. An error fails Init and ends the process.
pub type StartResult = Result<(), lambda_runtime::Error>;

/// Serves invocations until Lambda ends the process.
///
/// `handle` takes the event and returns the result, or an error that Lambda reports by name.
///
/// # Errors
/// When the Runtime API cannot be reached or the connection is lost.
pub async fn serve<R, E>(handle: impl AsyncFn(Value) -> Result<R, E>) -> StartResult
where
    R: Serialize,
    E: ErrorType,
{
    let handle = &handle;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| {
        // Boxed: the runtime's layers over the SDK's futures exceed the compiler's recursion limit.
        let outcome = Box::pin(handle(event.payload));
        async { outcome.await.map_err(Reported) }
    }))
    .await
}
