//! The runtime against a Runtime API of these tests' own.

mod lambda;

use std::io;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{Context, serve, trace_id};
use crate::InvalidInput;
use lambda::{Lambda, Posted};

/// Runs a function over the answers to `next` until they are used up, and gives what it posted.
async fn posted<H>(answers: Vec<Vec<u8>>, handle: H) -> Vec<Posted>
where
    H: AsyncFn(Value, &Context) -> Result<Value, InvalidInput>,
{
    let lambda = Lambda::start(answers, "202 Accepted");
    let _ = serve(lambda.address.clone(), async || Ok::<_, io::Error>(handle)).await;
    lambda.posted()
}

async fn echo(event: Value, _: &Context) -> Result<Value, InvalidInput> {
    Ok(event)
}

#[tokio::test]
async fn every_result_goes_back_under_its_own_request() {
    let posted = posted(vec![lambda::next("a", "1"), lambda::next("b", "\"two\"")], echo).await;
    let outcomes: Vec<_> = posted.iter().map(|posted| (posted.path.as_str(), posted.body.as_str())).collect();
    assert_eq!(
        outcomes,
        [
            ("/2018-06-01/runtime/invocation/a/response", "1"),
            ("/2018-06-01/runtime/invocation/b/response", "\"two\""),
        ]
    );
}

#[tokio::test]
async fn an_error_is_reported_by_its_name_and_the_next_invocation_is_served() {
    let handle = async |event: Value, _: &Context| {
        if event == 1 { Err(InvalidInput::new("a\r\nb", None, "one line")) } else { Ok(event) }
    };
    let posted = posted(vec![lambda::next("a", "1"), lambda::next("b", "2")], handle).await;
    assert_eq!(posted[0].path, "/2018-06-01/runtime/invocation/a/error");
    assert_eq!(posted[0].header("lambda-runtime-function-error-type"), Some("InvalidInput"));
    let report: Value = serde_json::from_str(&posted[0].body).unwrap();
    let message = "a\r\nb: found nothing; allowed: one line";
    assert_eq!(report, json!({ "errorType": "InvalidInput", "errorMessage": message, "stackTrace": [] }));
    assert_eq!(posted[1].path, "/2018-06-01/runtime/invocation/b/response");
}

#[tokio::test]
async fn an_event_that_is_no_json_is_an_error_of_its_invocation() {
    let posted = posted(vec![lambda::next("a", "{"), lambda::next("b", "2")], echo).await;
    assert_eq!(posted[0].header("lambda-runtime-function-error-type"), Some("Runtime.UnmarshalError"));
    assert_eq!(posted[1].body, "2");
}

#[tokio::test]
async fn the_handler_is_told_what_lambda_says_of_the_invocation() {
    let handle = async |_: Value, context: &Context| {
        assert_eq!(trace_id().as_deref(), Some("Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700"));
        assert_eq!(context.trace_id, trace_id());
        assert_eq!(context.deadline, UNIX_EPOCH + Duration::from_millis(1_700_000_000_123));
        assert_eq!(context.invoked_function_arn.as_deref(), Some("arn:aws:lambda:eu-west-1:1:function:f"));
        Ok(json!(context.request_id))
    };
    let posted = posted(vec![lambda::next("a", "1")], handle).await;
    assert_eq!(posted[0].body, "\"a\"");
    assert_eq!(trace_id(), None);
}

#[tokio::test]
async fn an_attempts_own_id_goes_back_with_its_outcome() {
    let next = lambda::next_with("a", "Lambda-Runtime-Invocation-Id: attempt-1\r\n", "1");
    let posted = posted(vec![next, lambda::next("b", "2")], echo).await;
    assert_eq!(posted[0].header("lambda-runtime-invocation-id"), Some("attempt-1"));
    assert_eq!(posted[1].header("lambda-runtime-invocation-id"), None);
}

#[tokio::test]
async fn an_event_in_chunks_is_put_together() {
    let event = format!("{:?}", "x".repeat(300_000));
    let posted = posted(vec![lambda::next_in_chunks("a", &event, 4_096)], echo).await;
    assert_eq!(posted[0].body, event);
}

#[tokio::test]
async fn an_event_and_a_result_of_6_mb_go_through() {
    let event = format!("{:?}", "x".repeat(6 * 1_024 * 1_024 - 2));
    let posted = posted(vec![lambda::next("a", &event)], echo).await;
    assert_eq!(posted[0].body.len(), event.len());
}

#[tokio::test]
async fn a_connection_that_lambda_closes_is_made_again() {
    let closing = lambda::next_with("a", "Connection: close\r\n", "1");
    let posted = posted(vec![closing, lambda::next("b", "2")], echo).await;
    assert_eq!(posted.iter().map(|posted| posted.body.as_str()).collect::<Vec<_>>(), ["1", "2"]);
}

#[tokio::test]
async fn a_result_that_lambda_refuses_does_not_end_the_process() {
    let lambda = Lambda::start(vec![lambda::next("a", "1"), lambda::next("b", "2")], "413 Payload Too Large");
    let _ = serve(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await;
    assert_eq!(lambda.posted().len(), 2);
}

#[tokio::test]
async fn a_state_that_lambda_calls_non_recoverable_ends_the_process() {
    let lambda =
        Lambda::start(vec![lambda::next("a", "1"), lambda::next("b", "2")], "500 Internal Server Error");
    let error = serve(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await.unwrap_err();
    assert!(error.to_string().contains("500"), "{error}");
    assert_eq!(lambda.posted().len(), 1);
}

#[tokio::test]
async fn an_init_that_fails_is_reported_as_such_and_ends_the_process() {
    let lambda = Lambda::start(vec![], "202 Accepted");
    let init = async || if true { Err("TABLE_NAME: found nothing") } else { Ok(echo) };
    let error = serve(lambda.address.clone(), init).await.unwrap_err();
    assert_eq!(error.to_string(), "TABLE_NAME: found nothing");
    let [posted] = &lambda.posted()[..] else { panic!("expected one report") };
    assert_eq!(posted.path, "/2018-06-01/runtime/init/error");
    assert_eq!(posted.header("lambda-runtime-function-error-type"), Some("Runtime.InitError"));
    assert!(posted.body.contains("TABLE_NAME: found nothing"), "{}", posted.body);
}

#[tokio::test]
async fn an_invocation_without_an_id_ends_the_process_for_there_is_nothing_to_answer() {
    let answer = b"HTTP/1.1 200 OK\r\nLambda-Runtime-Deadline-Ms: 1\r\nContent-Length: 1\r\n\r\n1".to_vec();
    let lambda = Lambda::start(vec![answer], "202 Accepted");
    let error = serve(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await.unwrap_err();
    assert!(error.to_string().contains("lambda-runtime-aws-request-id"), "{error}");
}

#[tokio::test]
async fn an_answer_that_is_no_http_ends_the_process() {
    for answer in
        ["garbage\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"]
    {
        let lambda = Lambda::start(vec![answer.into()], "202 Accepted");
        let error = serve(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{answer:?}: {error}");
    }
}
