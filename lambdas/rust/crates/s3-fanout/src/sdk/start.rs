use std::env;

use aws_config::BehaviorVersion;
use aws_config::retry::RetryConfig;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::Builder;
use bench_core::{StartError, required_variable};

use crate::sdk::SdkBucket;

const BUCKET_NAME: &str = "BUCKET_NAME";
const OBJECT_PREFIX: &str = "OBJECT_PREFIX";
/// Variables for a custom endpoint, of S3 or of all services. Such an endpoint seldom has a host name per bucket.
const ENDPOINTS: [&str; 2] = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"];

/// Returns the bucket and prefix that the environment names. Call it once, in Init.
///
/// # Errors
/// When `BUCKET_NAME` or `OBJECT_PREFIX` is missing, empty or not Unicode.
pub async fn connect() -> Result<SdkBucket, StartError> {
    let bucket = required_variable(BUCKET_NAME, "the bucket's name in the function's environment")?;
    let prefix = required_variable(OBJECT_PREFIX, "the objects' prefix in the function's environment")?;
    // A retry inside a measured call would look like a slow call.
    let shared = aws_config::defaults(BehaviorVersion::latest()).retry_config(RetryConfig::disabled());
    let path_style = ENDPOINTS.iter().any(|name| env::var_os(name).is_some_and(|url| !url.is_empty()));
    let configuration = Builder::from(&shared.load().await).force_path_style(path_style).build();
    Ok(SdkBucket::new(Client::from_conf(configuration), bucket, prefix))
}
