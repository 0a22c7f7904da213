//! The table over the SDK. Clients and servers are these tests' own; nothing leaves this machine.
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

/// A configuration as a function has it; the keys are nobody's.
fn configuration(region: &'static str) -> Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(region))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", "secret", None, None, "test"))
        .retry_config(RetryConfig::disabled())
}

/// A table behind this configuration.
fn table(configuration: Builder) -> SdkTable {
    SdkTable::new(Client::from_conf(configuration.build()), "table".into())
}

/// A table behind one server of this machine.
fn table_at(endpoint: String) -> SdkTable {
    table(configuration("eu-west-1").endpoint_url(endpoint))
}
