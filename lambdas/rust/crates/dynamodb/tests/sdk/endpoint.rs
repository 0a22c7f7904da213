//! The endpoint is the SDK's: that of the region and partition, or the configured one.
#![cfg(feature = "sdk-defaults")]

use crate::servers::refusing;
use crate::{configuration, table, table_at};
use aws_sdk_dynamodb::Config;

#[tokio::test]
async fn every_partition_has_its_own_name() {
    for (region, endpoint) in [
        ("eu-west-1", "https://dynamodb.eu-west-1.amazonaws.com/"),
        ("cn-north-1", "https://dynamodb.cn-north-1.amazonaws.com.cn/"),
        ("us-gov-west-1", "https://dynamodb.us-gov-west-1.amazonaws.com/"),
    ] {
        assert_eq!(table(configuration(region)).endpoint().await.unwrap(), endpoint);
    }
}

#[tokio::test]
async fn an_endpoint_of_the_callers_is_taken_and_nothing_is_sent() {
    let refusing = refusing();
    assert_eq!(table_at(refusing.clone()).endpoint().await.unwrap(), format!("{refusing}/"));
}

#[tokio::test]
async fn without_a_region_there_is_an_error_and_no_endpoint() {
    let nowhere = Config::builder().behavior_version(aws_config::BehaviorVersion::latest());
    let error = table(nowhere).endpoint().await.unwrap_err();
    assert_eq!(error.call, "ListTables");
}
