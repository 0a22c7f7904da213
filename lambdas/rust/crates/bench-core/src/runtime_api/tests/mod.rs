//! Tests of the runtime against a fake Runtime API.

mod lambda;

use std::io;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{Context, Stream, ready, serve, trace_id};
use crate::InvalidInput;
use lambda::{Lambda, Posted};

/// Runs a function until the answers to `next` are used up, and returns what it posted.
async fn posted<S: Stream, H>(answers: Vec<Vec<u8>>, handle: H) -> Vec<Posted>
where
    H: AsyncFn(Value, &Context) -> Result<Value, InvalidInput>,
{
    let lambda = Lambda::start(answers, "202 Accepted");
    let _ = serve::<S, _, _, _, _>(lambda.address.clone(), async || Ok::<_, io::Error>(handle)).await;
    lambda.posted()
}

async fn echo(event: Value, _: &Context) -> Result<Value, InvalidInput> {
    Ok(event)
}

async fn every_result_goes_back_under_its_own_request<S: Stream>() {
    let posted = posted::<S, _>(vec![lambda::next("a", "1"), lambda::next("b", "\"two\"")], echo).await;
    let outcomes: Vec<_> = posted.iter().map(|posted| (posted.path.as_str(), posted.body.as_str())).collect();
    assert_eq!(
        outcomes,
        [
            ("/2018-06-01/runtime/invocation/a/response", "1"),
            ("/2018-06-01/runtime/invocation/b/response", "\"two\""),
        ]
    );
}

async fn an_error_is_reported_by_its_name_and_the_next_invocation_is_served<S: Stream>() {
    let handle = async |event: Value, _: &Context| {
        if event == 1 { Err(InvalidInput::new("a\r\nb", None, "one line")) } else { Ok(event) }
    };
    let posted = posted::<S, _>(vec![lambda::next("a", "1"), lambda::next("b", "2")], handle).await;
    assert_eq!(posted[0].path, "/2018-06-01/runtime/invocation/a/error");
    assert_eq!(posted[0].header("lambda-runtime-function-error-type"), Some("InvalidInput"));
    let report: Value = serde_json::from_str(&posted[0].body).unwrap();
    let message = "a\r\nb: found nothing; allowed: one line";
    assert_eq!(report, json!({ "errorType": "InvalidInput", "errorMessage": message, "stackTrace": [] }));
    assert_eq!(posted[1].path, "/2018-06-01/runtime/invocation/b/response");
}

async fn an_event_that_is_no_json_is_an_error_of_its_invocation<S: Stream>() {
    let posted = posted::<S, _>(vec![lambda::next("a", "{"), lambda::next("b", "2")], echo).await;
    assert_eq!(posted[0].header("lambda-runtime-function-error-type"), Some("Runtime.UnmarshalError"));
    assert_eq!(posted[1].body, "2");
}

async fn the_handler_is_told_what_lambda_says_of_the_invocation<S: Stream>() {
    let handle = async |_: Value, context: &Context| {
        assert_eq!(trace_id().as_deref(), Some("Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700"));
        assert_eq!(context.trace_id, trace_id());
        assert_eq!(context.deadline, UNIX_EPOCH + Duration::from_millis(1_700_000_000_123));
        assert_eq!(context.invoked_function_arn.as_deref(), Some("arn:aws:lambda:eu-west-1:1:function:f"));
        Ok(json!(context.request_id))
    };
    let posted = posted::<S, _>(vec![lambda::next("a", "1")], handle).await;
    assert_eq!(posted[0].body, "\"a\"");
    assert_eq!(trace_id(), None);
}

async fn an_attempts_own_id_goes_back_with_its_outcome<S: Stream>() {
    let next = lambda::next_with("a", "Lambda-Runtime-Invocation-Id: attempt-1\r\n", "1");
    let posted = posted::<S, _>(vec![next, lambda::next("b", "2")], echo).await;
    assert_eq!(posted[0].header("lambda-runtime-invocation-id"), Some("attempt-1"));
    assert_eq!(posted[1].header("lambda-runtime-invocation-id"), None);
}

async fn an_event_in_chunks_is_put_together<S: Stream>() {
    let event = format!("{:?}", "x".repeat(300_000));
    let posted = posted::<S, _>(vec![lambda::next_in_chunks("a", &event, 4_096)], echo).await;
    assert_eq!(posted[0].body, event);
}

async fn an_event_and_a_result_of_6_mb_go_through<S: Stream>() {
    let event = format!("{:?}", "x".repeat(6 * 1_024 * 1_024 - 2));
    let posted = posted::<S, _>(vec![lambda::next("a", &event)], echo).await;
    assert_eq!(posted[0].body.len(), event.len());
}

async fn a_connection_that_lambda_closes_is_made_again<S: Stream>() {
    let closing = lambda::next_with("a", "Connection: close\r\n", "1");
    let posted = posted::<S, _>(vec![closing, lambda::next("b", "2")], echo).await;
    assert_eq!(posted.iter().map(|posted| posted.body.as_str()).collect::<Vec<_>>(), ["1", "2"]);
}

async fn a_result_that_lambda_refuses_does_not_end_the_process<S: Stream>() {
    let lambda = Lambda::start(vec![lambda::next("a", "1"), lambda::next("b", "2")], "413 Payload Too Large");
    let _ = serve::<S, _, _, _, _>(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await;
    assert_eq!(lambda.posted().len(), 2);
}

async fn a_state_that_lambda_calls_non_recoverable_ends_the_process<S: Stream>() {
    let lambda =
        Lambda::start(vec![lambda::next("a", "1"), lambda::next("b", "2")], "500 Internal Server Error");
    let error =
        serve::<S, _, _, _, _>(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await.unwrap_err();
    assert!(error.to_string().contains("500"), "{error}");
    assert_eq!(lambda.posted().len(), 1);
}

async fn an_init_that_fails_is_reported_as_such_and_ends_the_process<S: Stream>() {
    let lambda = Lambda::start(vec![], "202 Accepted");
    let init = async || if true { Err("TABLE_NAME: found nothing") } else { Ok(echo) };
    let error = serve::<S, _, _, _, _>(lambda.address.clone(), init).await.unwrap_err();
    assert_eq!(error.to_string(), "TABLE_NAME: found nothing");
    let [posted] = &lambda.posted()[..] else { panic!("expected one report") };
    assert_eq!(posted.path, "/2018-06-01/runtime/init/error");
    assert_eq!(posted.header("lambda-runtime-function-error-type"), Some("Runtime.InitError"));
    assert!(posted.body.contains("TABLE_NAME: found nothing"), "{}", posted.body);
}

async fn an_invocation_without_an_id_ends_the_process_for_there_is_nothing_to_answer<S: Stream>() {
    let answer = b"HTTP/1.1 200 OK\r\nLambda-Runtime-Deadline-Ms: 1\r\nContent-Length: 1\r\n\r\n1".to_vec();
    let lambda = Lambda::start(vec![answer], "202 Accepted");
    let error =
        serve::<S, _, _, _, _>(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await.unwrap_err();
    assert!(error.to_string().contains("lambda-runtime-aws-request-id"), "{error}");
}

async fn an_answer_that_is_no_http_ends_the_process<S: Stream>() {
    for answer in [
        "garbage\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: one\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n12\r\n",
    ] {
        let lambda = Lambda::start(vec![answer.into()], "202 Accepted");
        let error = serve::<S, _, _, _, _>(lambda.address.clone(), async || Ok::<_, io::Error>(echo))
            .await
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{answer:?}: {error}");
    }
}

async fn an_answer_that_breaks_off_ends_the_process<S: Stream>() {
    let answer = lambda::next_with("a", "Connection: close\r\nTransfer-Encoding: chunked\r\n", "ff\r\n1");
    let lambda = Lambda::start(vec![answer], "202 Accepted");
    let error =
        serve::<S, _, _, _, _>(lambda.address.clone(), async || Ok::<_, io::Error>(echo)).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{error}");
    assert!(lambda.posted().is_empty());
}

#[test]
fn without_tokio_an_address_is_taken_and_no_name() {
    let init = async || Ok::<_, io::Error>(echo);
    let error = ready(serve::<std::net::TcpStream, _, _, _, _>("localhost:9001".into(), init)).unwrap_err();
    assert!(error.to_string().contains("found no address"), "{error}");
}

#[test]
fn a_function_that_would_wait_for_ever_is_told_so() {
    let error = ready(std::future::pending::<io::Result<()>>()).unwrap_err();
    assert!(error.to_string().contains("no runtime to wake it"), "{error}");
}

/// Runs each test over both kinds of stream.
macro_rules! over_both_streams {
    ($($test:ident),+ $(,)?) => {
        mod tokio_stream {
            $(#[tokio::test]
            async fn $test() {
                super::$test::<tokio::net::TcpStream>().await;
            })+
        }

        mod blocking_stream {
            $(#[test]
            fn $test() {
                let ended = async {
                    super::$test::<std::net::TcpStream>().await;
                    Ok(())
                };
                super::ready(ended).unwrap();
            })+
        }
    };
}

over_both_streams!(
    every_result_goes_back_under_its_own_request,
    an_error_is_reported_by_its_name_and_the_next_invocation_is_served,
    an_event_that_is_no_json_is_an_error_of_its_invocation,
    the_handler_is_told_what_lambda_says_of_the_invocation,
    an_attempts_own_id_goes_back_with_its_outcome,
    an_event_in_chunks_is_put_together,
    an_event_and_a_result_of_6_mb_go_through,
    a_connection_that_lambda_closes_is_made_again,
    a_result_that_lambda_refuses_does_not_end_the_process,
    a_state_that_lambda_calls_non_recoverable_ends_the_process,
    an_init_that_fails_is_reported_as_such_and_ends_the_process,
    an_invocation_without_an_id_ends_the_process_for_there_is_nothing_to_answer,
    an_answer_that_is_no_http_ends_the_process,
    an_answer_that_breaks_off_ends_the_process,
);
