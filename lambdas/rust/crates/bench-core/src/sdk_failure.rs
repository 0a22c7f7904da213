//! Describes failed calls of any AWS SDK.

use std::error::Error;
use std::fmt::Debug;

use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;

use crate::CallError;

/// Returns the error of `call`, with the service's message if it answered.
pub fn call_error<E, R>(call: &'static str, error: SdkError<E, R>) -> CallError
where
    E: Error + ProvideErrorMetadata + 'static,
    R: Debug + 'static,
{
    let code = code(&error).to_owned();
    let message = match error.message() {
        Some(message) => format!("{code}: {message}"),
        None => with_causes(&error),
    };
    CallError { call, code, message }
}

/// Returns the service's error code if it answered, else the step that failed.
pub fn code<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> &str {
    let step = match error {
        SdkError::ConstructionFailure(_) => "ConstructionFailure",
        SdkError::TimeoutError(_) => "TimeoutError",
        SdkError::DispatchFailure(_) => "DispatchFailure",
        SdkError::ResponseError(_) => "ResponseError",
        _ => "ServiceError",
    };
    error.code().unwrap_or(step)
}

/// Returns the service's message if it answered, else the SDK's message with its causes.
pub fn message<E, R>(error: &SdkError<E, R>) -> String
where
    E: Error + ProvideErrorMetadata + 'static,
    R: Debug + 'static,
{
    error.message().map_or_else(|| with_causes(error), str::to_owned)
}

/// Appends the causes, because the SDK's outermost message is only "dispatch failure".
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
