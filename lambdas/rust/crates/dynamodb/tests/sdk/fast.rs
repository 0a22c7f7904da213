//! The fast client matches the SDK's own: endpoints, credentials, certificates, errors.
//!
//! The client reads its environment, so each of these tests starts its own process.
#![cfg(feature = "fast")]

use std::process::Command;
use std::time::Duration;

use crate::servers::{Credentials, Service, hanging, refusing};
use crate::tls::TlsServer;
use bench_core::fast_client::Roots;
use bench_core::{CryptoProvider, Stack, TrustStore, Warmup};
use dynamodb::Table;
use dynamodb::sdk::fast;

const KEYS: [(&str, &str); 2] =
    [("AWS_ACCESS_KEY_ID", "AKIDENVIRONMENT"), ("AWS_SECRET_ACCESS_KEY", "secret")];

/// Returns what a test of `children` prints in a process that has only these variables.
fn child(name: &str, variables: &[(&str, &str)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("fast::children::{name}"), "--ignored", "--nocapture", "--test-threads=1"])
        .env_clear()
        .env("TABLE_NAME", "table")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter_map(|line| line.strip_prefix("> ")).collect::<Vec<_>>().join("\n")
}

fn with_keys<'a>(variables: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&KEYS, variables].concat()
}

#[test]
fn the_endpoint_is_that_of_the_region_and_its_partition() {
    for (region, endpoint) in [
        ("eu-west-1", "https://dynamodb.eu-west-1.amazonaws.com/"),
        ("cn-north-1", "https://dynamodb.cn-north-1.amazonaws.com.cn/"),
        ("us-gov-west-1", "https://dynamodb.us-gov-west-1.amazonaws.com/"),
        ("eusc-de-east-1", "https://dynamodb.eusc-de-east-1.amazonaws.eu/"),
    ] {
        assert_eq!(child("endpoint", &with_keys(&[("AWS_REGION", region)])), endpoint);
    }
}

#[test]
fn what_the_environment_says_of_endpoints_is_taken() {
    let region = ("AWS_REGION", "us-east-1");
    for (variables, endpoint) in [
        (&[("AWS_USE_FIPS_ENDPOINT", "true")][..], "https://dynamodb-fips.us-east-1.amazonaws.com/"),
        (&[("AWS_USE_DUALSTACK_ENDPOINT", "true")], "https://dynamodb.us-east-1.api.aws/"),
        (&[("AWS_ENDPOINT_URL", "http://all:1")], "http://all:1/"),
        (
            &[("AWS_ENDPOINT_URL", "http://all:1"), ("AWS_ENDPOINT_URL_DYNAMODB", "http://one:2")],
            "http://one:2/",
        ),
    ] {
        assert_eq!(child("endpoint", &with_keys(&[&[region], variables].concat())), endpoint);
    }
}

#[test]
fn a_process_keeps_the_credentials_of_its_environment() {
    let service = Service::start();
    let endpoint = ("AWS_ENDPOINT_URL_DYNAMODB", service.endpoint.as_str());
    let session = [("AWS_REGION", "us-east-1"), ("AWS_SESSION_TOKEN", "session"), endpoint];
    assert_eq!(child("two_calls", &with_keys(&session)), "found\nfound");
    assert_eq!(service.keys(), ["AKIDENVIRONMENT", "AKIDENVIRONMENT"]);
    assert!(service.requests().iter().all(|request| request.contains("x-amz-security-token: session")));
}

#[test]
fn credentials_that_end_are_asked_for_again_where_lambda_serves_them() {
    let (service, credentials) = (Service::start(), Credentials::that_end_at_once("token"));
    let variables = [
        ("AWS_REGION", "us-east-1"),
        ("AWS_ENDPOINT_URL_DYNAMODB", service.endpoint.as_str()),
        ("AWS_CONTAINER_CREDENTIALS_FULL_URI", credentials.address.as_str()),
        ("AWS_CONTAINER_AUTHORIZATION_TOKEN", "token"),
    ];
    assert_eq!(child("two_calls", &variables), "found\nfound");
    assert_eq!(service.keys(), ["AKID1", "AKID2"]);
}

#[test]
fn without_credentials_the_error_says_so() {
    let error = child("two_calls", &[("AWS_REGION", "us-east-1")]);
    assert!(error.contains("no credentials found in chain"), "{error}");
}

#[test]
fn a_server_of_a_named_root_is_trusted_through_its_whole_chain() {
    let server = TlsServer::start();
    let endpoint = ("AWS_ENDPOINT_URL_DYNAMODB", server.endpoint.as_str());
    let root = ("SSL_CERT_FILE", server.root.to_str().unwrap());
    assert_eq!(
        child("two_calls", &with_keys(&[("AWS_REGION", "us-east-1"), endpoint, root])),
        "found\nfound"
    );
}

#[test]
fn a_server_of_another_authority_is_refused_and_the_error_says_why() {
    let (server, other) = (TlsServer::start(), TlsServer::start());
    let endpoint = ("AWS_ENDPOINT_URL_DYNAMODB", server.endpoint.as_str());
    let root = ("SSL_CERT_FILE", other.root.to_str().unwrap());
    let error = child("two_calls", &with_keys(&[("AWS_REGION", "us-east-1"), endpoint, root]));
    assert!(
        error.starts_with("DispatchFailure GetItem: ") && error.contains("invalid peer certificate"),
        "{error}"
    );
}

#[test]
fn a_server_of_another_name_is_refused() {
    let server = TlsServer::start();
    let endpoint = server.endpoint.replace("localhost", "127.0.0.2");
    let root = ("SSL_CERT_FILE", server.root.to_str().unwrap());
    let error = child(
        "two_calls",
        &with_keys(&[("AWS_REGION", "us-east-1"), ("AWS_ENDPOINT_URL_DYNAMODB", &endpoint), root]),
    );
    assert!(error.contains("certificate not valid for name"), "{error}");
}

#[test]
fn the_bundled_roots_are_used_where_the_environment_names_nothing_else() {
    assert_eq!(child("trust_store", &[("AWS_REGION", "eu-west-1")]), "Bundled");
    assert_eq!(child("trust_store", &[("AWS_REGION", "cn-north-1")]), "Native");
}

/// Uses the bundled roots and an endpoint set in code.
#[tokio::test]
async fn a_server_that_is_not_amazons_is_refused_by_the_bundled_roots() {
    let server = TlsServer::start();
    let client = bench_core::fast_client::configuration(bench_core::fast_client::Roots::Bundled)
        .region(aws_config::Region::new("eu-west-1"))
        .credentials_provider(aws_sdk_dynamodb::config::Credentials::new("a", "b", None, None, "test"))
        .endpoint_url(server.endpoint.clone())
        .retry_config(aws_config::retry::RetryConfig::disabled());
    let client = aws_sdk_dynamodb::Client::new(&client.load().await);
    let error = dynamodb::sdk::SdkTable::new(client, "table".into()).get("a", "b").await.unwrap_err();
    assert!(error.message.contains("UnknownIssuer"), "{}", error.message);
}

#[test]
fn a_warmup_goes_on_past_an_endpoint_that_refuses_or_hangs() {
    let region = ("AWS_REGION", "us-east-1");
    let warmed = |endpoint: &str, limit_ms: &str| {
        let variables = [region, ("AWS_ENDPOINT_URL_DYNAMODB", endpoint), ("WARMUP_LIMIT_MS", limit_ms)];
        child("warmup", &with_keys(&variables))
    };
    // Long enough for a busy machine, except where the test waits for the limit itself.
    assert_eq!(warmed(&refusing(), "60000"), "DispatchFailure");
    let (endpoint, _listener) = hanging();
    assert_eq!(warmed(&endpoint, "300"), "TimedOut");
    assert_eq!(warmed(&Service::start().endpoint, "60000"), "none");
}

/// Run by the tests above, each in its own process with its own environment.
mod children {
    use super::{CryptoProvider, Duration, Roots, Stack, Table, TrustStore, Warmup, fast};

    #[tokio::test]
    #[ignore = "started by another test"]
    async fn endpoint() {
        println!("\n> {}", fast::connect(Roots::of_environment()).await.unwrap().endpoint().await.unwrap());
    }

    #[tokio::test]
    #[ignore = "started by another test"]
    async fn two_calls() {
        let table = fast::connect(Roots::of_environment()).await.unwrap();
        for _ in 0..2 {
            match table.get("seed", "item-00").await {
                Ok(answer) => println!("\n> {}", if answer.value { "found" } else { "missing" }),
                Err(error) => println!("\n> {} GetItem: {}", error.code, error.message.replace('\n', " ")),
            }
        }
    }

    #[tokio::test]
    #[ignore = "started by another test"]
    async fn warmup() {
        let table = fast::connect(Roots::of_environment()).await.unwrap();
        let limit = std::env::var("WARMUP_LIMIT_MS").unwrap().parse().unwrap();
        let warmup = Warmup::within(Duration::from_millis(limit), table.get("seed", "item-00")).await;
        println!("\n> {}", warmup.error.unwrap_or_else(|| "none".into()));
    }

    #[test]
    #[ignore = "started by another test"]
    fn trust_store() {
        let Stack { crypto_provider, trust_store, .. } = fast::stack(Roots::of_environment());
        assert_eq!(crypto_provider, CryptoProvider::Ring);
        println!("\n> {}", if trust_store == TrustStore::Bundled { "Bundled" } else { "Native" });
    }
}
