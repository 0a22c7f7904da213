use bench_core::{StartError, required_variable};

/// Returns the SDK's configuration from the environment, with retries off: a retry inside a measured call would look
/// like a slow call.
#[cfg(any(feature = "sdk-defaults", feature = "ring"))]
pub(crate) fn configuration() -> Result<aws_config::ConfigLoader, StartError> {
    let latest = aws_config::BehaviorVersion::latest();
    let loader = aws_config::defaults(latest).retry_config(aws_config::retry::RetryConfig::disabled());
    Ok(match patience::connect_timeout()? {
        None => loader,
        Some(limit) => {
            let timeouts = aws_config::timeout::TimeoutConfig::builder().connect_timeout(limit).build();
            loader.timeout_config(timeouts)
        }
    })
}

/// Returns the table that the environment names, with a client of this configuration.
#[cfg(any(feature = "sdk-defaults", feature = "ring"))]
pub(crate) async fn table(
    configuration: aws_config::ConfigLoader,
) -> Result<crate::sdk::SdkTable, StartError> {
    let name = table_name()?;
    Ok(crate::sdk::SdkTable::new(aws_sdk_dynamodb::Client::new(&configuration.load().await), name))
}

/// Returns the table's name from the environment.
#[cfg(any(feature = "fast", feature = "sdk-defaults", feature = "ring"))]
pub(crate) fn table_name() -> Result<String, StartError> {
    required_variable("TABLE_NAME", "the table's name in the function's environment")
}

/// Allows a longer connect timeout: under an instrument a process runs a hundred times slower, and its first
/// handshake would exceed the SDK's 3.1 s.
#[cfg(any(feature = "sdk-defaults", feature = "ring"))]
mod patience {
    use std::env;
    use std::time::Duration;

    use bench_core::StartError;

    /// Variable for the connect timeout, in milliseconds. If absent, the SDK's default applies.
    const CONNECT_TIMEOUT: &str = "CONNECT_TIMEOUT_MS";
    const LARGEST_MS: u64 = 600_000;

    pub(super) fn connect_timeout() -> Result<Option<Duration>, StartError> {
        env::var(CONNECT_TIMEOUT).ok().map(limit_of).transpose()
    }

    fn limit_of(text: String) -> Result<Duration, StartError> {
        match text.parse() {
            Ok(limit @ 1..=LARGEST_MS) => Ok(Duration::from_millis(limit)),
            _ => {
                let expected = "a whole number from 1 to 600000";
                Err(StartError::new(CONNECT_TIMEOUT, format!("{text:?}"), expected))
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use std::time::Duration;

        use super::limit_of;

        #[test]
        fn the_limit_for_making_a_connection_is_a_number_of_milliseconds_within_bounds() {
            assert_eq!(limit_of("600000".into()).unwrap(), Duration::from_secs(600));
            for text in ["", "0", "-1", "600001", "3.1", "1 s"] {
                let error = limit_of(text.into()).unwrap_err().to_string();
                assert!(
                    error.starts_with(&format!("CONNECT_TIMEOUT_MS: found {text:?}; expected")),
                    "{error}"
                );
            }
        }
    }
}
