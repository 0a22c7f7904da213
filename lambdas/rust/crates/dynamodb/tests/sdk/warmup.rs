//! A warm-up never fails or delays Init, whatever the endpoint does.
#![cfg(feature = "sdk-defaults")]

use std::time::Duration;

use crate::servers::{answering, hanging, refusing};
use crate::table_at;
use bench_core::Warmup;

/// Longer than any call, even on a busy machine.
const FAR_LIMIT: Duration = Duration::from_secs(60);

async fn warmup_at(endpoint: String, limit: Duration) -> Warmup {
    Warmup::within(limit, table_at(endpoint).list_tables()).await
}

#[tokio::test]
async fn an_endpoint_that_refuses_is_named_and_init_goes_on_at_once() {
    let warmup = warmup_at(refusing(), FAR_LIMIT).await;
    assert_eq!(warmup.error.as_deref(), Some("DispatchFailure"));
    assert!(warmup.milliseconds < 10_000.0, "{warmup:?}");
}

#[tokio::test]
async fn an_endpoint_that_accepts_and_hangs_is_cut_off_at_the_limit() {
    let (endpoint, _listener) = hanging();
    let warmup = warmup_at(endpoint, Duration::from_millis(300)).await;
    assert_eq!(warmup.error.as_deref(), Some("TimedOut"));
    assert!((300.0..10_000.0).contains(&warmup.milliseconds), "{warmup:?}");
}

#[tokio::test]
async fn an_endpoint_that_answers_garbage_is_named() {
    let warmup = warmup_at(answering(b"garbage\r\n\r\n"), FAR_LIMIT).await;
    assert_eq!(warmup.error.as_deref(), Some("DispatchFailure"));
}

#[tokio::test]
async fn an_endpoint_that_denies_the_call_leaves_the_services_own_code() {
    let denial =
        b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/x-amz-json-1.0\r\nconnection: close\r\n\r\n\
                   {\"__type\":\"com.amazon.coral.service#AccessDeniedException\",\"Message\":\"no\"}";
    let warmup = warmup_at(answering(denial), FAR_LIMIT).await;
    assert_eq!(warmup.error.as_deref(), Some("AccessDeniedException"));
}
