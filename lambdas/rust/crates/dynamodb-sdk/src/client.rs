use std::env::{self, VarError};
use std::fmt;

use aws_config::BehaviorVersion;
use aws_config::retry::RetryConfig;
use aws_sdk_dynamodb::Client;

use crate::SdkTable;

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

/// The table that the environment names, with a client of the SDK's own making. Call it once, in Init.
///
/// The client never retries: a retry inside a measured call would pass for a slow one.
///
/// # Errors
/// When `TABLE_NAME` is missing, empty or no Unicode.
pub async fn connect() -> Result<SdkTable, StartError> {
    let name = match env::var(TABLE_NAME) {
        Ok(name) if name.is_empty() => return Err(StartError { found: "an empty text" }),
        Ok(name) => name,
        Err(VarError::NotPresent) => return Err(StartError { found: "nothing" }),
        Err(VarError::NotUnicode(_)) => return Err(StartError { found: "no Unicode" }),
    };
    let config =
        aws_config::defaults(BehaviorVersion::latest()).retry_config(RetryConfig::disabled()).load().await;
    Ok(SdkTable::new(Client::new(&config), name))
}
