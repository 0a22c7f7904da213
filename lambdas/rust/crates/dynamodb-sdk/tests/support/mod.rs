//! Clients and servers of the suites' own; nothing leaves this machine.
#![allow(dead_code)]

pub mod servers;
pub mod tls;

use aws_config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Builder, Credentials, Region};
use aws_sdk_dynamodb::{Client, Config};
use dynamodb_sdk::SdkTable;

/// A configuration as a function has it; the keys are nobody's.
pub fn configuration(region: &'static str) -> Builder {
    Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(region))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", "secret", None, None, "test"))
        .retry_config(RetryConfig::disabled())
}

/// A table behind this configuration.
pub fn table(configuration: Builder) -> SdkTable {
    SdkTable::new(Client::from_conf(configuration.build()), "table".into())
}

/// A table behind one server of this machine.
pub fn table_at(endpoint: String) -> SdkTable {
    table(configuration("eu-west-1").endpoint_url(endpoint))
}
