use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext};
use aws_smithy_http_client::{Builder, ConnectorBuilder};
use aws_smithy_runtime_api::client::http::SharedHttpClient;

use super::Roots;

/// Returns the SDK's default HTTP client, but with rustls on ring and these roots.
pub(super) fn client(roots: Roots) -> SharedHttpClient {
    Builder::new().build_with_connector_fn(move |settings, components| {
        let mut builder = ConnectorBuilder::default();
        builder.set_connector_settings(settings.cloned());
        builder.set_proxy_config(Some(ProxyConfig::from_env()));
        // The SDK creates and drops a connector without settings to check a configuration. Reading the roots for it
        // would be wasted time.
        if settings.is_none() {
            return builder.build_http();
        }
        builder.set_sleep_impl(components.and_then(|components| components.sleep_impl()));
        let builder = builder.tls_provider(Provider::Rustls(CryptoMode::Ring));
        match TlsContext::builder().with_trust_store(roots.store()).build() {
            Ok(context) => builder.tls_context(context).build(),
            // Cannot happen: building a context checks nothing. The SDK's own roots would do as well.
            Err(_) => builder.build(),
        }
    })
}
