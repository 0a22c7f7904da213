use aws_config::ecs::EcsCredentialsProvider;
use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::meta::credentials::CredentialsProviderChain;
use aws_config::provider_config::ProviderConfig;
use aws_smithy_runtime_api::client::http::SharedHttpClient;

/// Returns a provider for the two places where Lambda puts credentials.
///
/// The environment has those of an ordinary execution environment, and they outlive it. Where many invocations share
/// a process, or a snapshot is restored, credentials come from a local address (`AWS_CONTAINER_CREDENTIALS_FULL_URI`)
/// with their expiry, and the SDK's cache renews them before it:
/// <https://docs.aws.amazon.com/lambda/latest/dg/snapstart-activate.html>.
pub(super) fn of_lambda(client: &SharedHttpClient) -> CredentialsProviderChain {
    let over_http = ProviderConfig::without_region().with_http_client(client.clone());
    CredentialsProviderChain::first_try("Environment", EnvironmentVariableCredentialsProvider::new())
        .or_else("EcsContainer", EcsCredentialsProvider::builder().configure(&over_http).build())
}
