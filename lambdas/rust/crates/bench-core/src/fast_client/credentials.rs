use aws_config::ecs::EcsCredentialsProvider;
use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::meta::credentials::CredentialsProviderChain;
use aws_config::provider_config::ProviderConfig;
use aws_smithy_runtime_api::client::http::SharedHttpClient;

/// The two places where Lambda puts credentials.
///
/// An execution environment has its own in the environment; they live longer than it does, and a new one gets new
/// ones. Where many invocations share a process, or a snapshot is restored, they come from an address on this machine
/// (`AWS_CONTAINER_CREDENTIALS_FULL_URI`) with the time at which they end, and the SDK's cache asks again before it:
/// <https://docs.aws.amazon.com/lambda/latest/dg/snapstart-activate.html>.
pub(super) fn of_lambda(client: &SharedHttpClient) -> CredentialsProviderChain {
    let over_http = ProviderConfig::without_region().with_http_client(client.clone());
    CredentialsProviderChain::first_try("Environment", EnvironmentVariableCredentialsProvider::new())
        .or_else("EcsContainer", EcsCredentialsProvider::builder().configure(&over_http).build())
}
