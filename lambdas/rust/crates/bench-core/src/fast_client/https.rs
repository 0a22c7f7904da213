use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext};
use aws_smithy_http_client::{Builder, ConnectorBuilder};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

use super::Roots;

/// The SDK's HTTP client with rustls on ring and these roots, otherwise as the SDK's default makes it.
pub(super) fn client(roots: Roots) -> SharedHttpClient {
    Builder::new().build_with_connector_fn(move |settings, components| {
        let mut builder = ConnectorBuilder::default();
        builder.set_connector_settings(settings.cloned());
        builder.set_proxy_config(Some(ProxyConfig::from_env()));
        // The SDK makes a connector without settings when it checks a configuration, and drops it: roots would be
        // read for nothing.
        if settings.is_none() {
            return builder.build_http();
        }
        builder.set_sleep_impl(components.and_then(|components| components.sleep_impl()));
        let builder = builder.tls_provider(Provider::Rustls(CryptoMode::Ring));
        match TlsContext::builder().with_trust_store(roots.store()).build() {
            Ok(context) => builder.tls_context(context).build(),
            // Cannot be: nothing of a context is checked as it is built. The SDK's own roots are as good.
            Err(_) => builder.build(),
        }
    })
}
