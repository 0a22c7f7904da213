use std::error::Error;

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use s3_fanout::BucketError;

/// The service's own code and message where it answered, else which step failed and why.
pub fn failure<E, R>(call: &'static str, error: SdkError<E, R>) -> BucketError
where
    E: Error + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug + 'static,
{
    let step = match &error {
        SdkError::ConstructionFailure(_) => "ConstructionFailure",
        SdkError::TimeoutError(_) => "TimeoutError",
        SdkError::DispatchFailure(_) => "DispatchFailure",
        SdkError::ResponseError(_) => "ResponseError",
        _ => "ServiceError",
    };
    let code = error.code().unwrap_or(step).to_owned();
    let message = match error.message() {
        Some(message) => format!("{code}: {message}"),
        None => with_causes(&error),
    };
    BucketError { call, code, message }
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
