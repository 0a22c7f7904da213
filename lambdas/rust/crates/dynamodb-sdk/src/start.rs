use std::env::{self, VarError};
use std::fmt;

const TABLE_NAME: &str = "TABLE_NAME";

/// Why the function cannot start: Init fails with it.
///
/// `Debug` reads like `Display`, because that is what the process prints as it ends.
#[derive(thiserror::Error)]
#[error("{TABLE_NAME}: found {found}; expected the table's name in the function's environment")]
pub struct StartError {
    found: &'static str,
}

impl fmt::Debug for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The SDK's own configuration from the environment, but that the client never retries: a retry inside a measured
/// call would pass for a slow one.
#[cfg(any(feature = "sdk-defaults", feature = "ring"))]
pub(crate) fn configuration() -> aws_config::ConfigLoader {
    let latest = aws_config::BehaviorVersion::latest();
    aws_config::defaults(latest).retry_config(aws_config::retry::RetryConfig::disabled())
}

/// The table that the environment names, with a client of this configuration.
#[cfg(any(feature = "sdk-defaults", feature = "ring"))]
pub(crate) async fn table(configuration: aws_config::ConfigLoader) -> Result<crate::SdkTable, StartError> {
    let name = table_name()?;
    Ok(crate::SdkTable::new(aws_sdk_dynamodb::Client::new(&configuration.load().await), name))
}

/// The table's name out of the environment.
#[cfg(any(feature = "fast", feature = "sdk-defaults", feature = "ring"))]
pub(crate) fn table_name() -> Result<String, StartError> {
    match env::var(TABLE_NAME) {
        Ok(name) if name.is_empty() => Err(StartError { found: "an empty text" }),
        Ok(name) => Ok(name),
        Err(VarError::NotPresent) => Err(StartError { found: "nothing" }),
        Err(VarError::NotUnicode(_)) => Err(StartError { found: "no Unicode" }),
    }
}
