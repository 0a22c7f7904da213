//! This module describes a failed call of an AWS SDK; every SDK has these errors.

use std::error::Error;
use std::fmt::Debug;

use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;

use crate::CallError;

/// The failure of `call`, with the service's own words where it answered.
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

/// The service's own code where it answered, else the step that failed.
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

/// The service's own message where it answered, else the SDK's with its causes.
pub fn message<E, R>(error: &SdkError<E, R>) -> String
where
    E: Error + ProvideErrorMetadata + 'static,
    R: Debug + 'static,
{
    error.message().map_or_else(|| with_causes(error), str::to_owned)
}

/// The SDK's outermost text is only "dispatch failure": what helps stands in the causes.
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
