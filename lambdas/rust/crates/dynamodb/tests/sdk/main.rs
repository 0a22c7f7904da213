//! Tests of the table through the SDK. Clients and servers are local; nothing leaves this machine.
#![cfg(any(feature = "fast", feature = "sdk-defaults"))]
#![allow(dead_code, clippy::unwrap_used, missing_docs)]

mod endpoint;
mod fast;
mod servers;
mod tls;
mod warmup;

use aws_config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Builder, Credentials, Region};
use aws_sdk_dynamodb::{Client, Config};
use dynamodb::sdk::SdkTable;

/// Returns a function's configuration, with made-up keys.
fn configuration(region: &'static str) -> Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(region))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", "secret", None, None, "test"))
        .retry_config(RetryConfig::disabled())
}

/// Returns a table with this configuration.
fn table(configuration: Builder) -> SdkTable {
    SdkTable::new(Client::from_conf(configuration.build()), "table".into())
}

/// Returns a table at a local server.
fn table_at(endpoint: String) -> SdkTable {
    table(configuration("eu-west-1").endpoint_url(endpoint))
}
