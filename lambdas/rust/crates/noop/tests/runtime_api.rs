//! Tests of what the binary posts to a fake Runtime API.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use serde_json::{Value, json};

/// Path and body of an invocation's outcome.
type Outcome = (String, Value);

#[test]
fn a_result_and_an_error_reach_lambda_and_the_log_stays_empty() {
    let events =
        [json!({ "operation": "noop" }), json!({ "operation": "get" }), json!({ "operation": "noop" })];
    let (api, outcomes) = runtime_api(events.to_vec());
    let function = start(&api);
    let answers: Vec<_> = outcomes.iter().take(events.len()).collect();
    assert_eq!(log_of(function), "");

    let (paths, bodies): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
    assert!(
        paths[0].ends_with("/response") && paths[1].ends_with("/error") && paths[2].ends_with("/response")
    );
    assert_eq!((&bodies[0]["invocation"], &bodies[0]["coldStart"]), (&json!(0), &json!(true)));
    assert_eq!((&bodies[2]["invocation"], &bodies[2]["coldStart"]), (&json!(2), &json!(false)));
    assert_eq!(bodies[0]["bootId"], bodies[2]["bootId"]);
    assert_eq!((&bodies[0]["variant"], &bodies[0]["operation"]), (&json!("noop"), &json!("noop")));
    assert!(bodies[0].get("sdkCallMs").is_none() && bodies[0].get("itemsCount").is_none());
    assert_eq!(bodies[1]["errorType"], "InvalidInput");
    assert_eq!(bodies[1]["errorMessage"], "operation: found \"get\"; allowed: noop");
}

/// Serves the events in turn and sends their outcomes to the channel; the function may open several connections.
fn runtime_api(events: Vec<Value>) -> (String, mpsc::Receiver<Outcome>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, outcomes) = mpsc::channel();
    let events = Arc::new(Mutex::new(events.into_iter()));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (events, sender) = (events.clone(), sender.clone());
            thread::spawn(move || {
                let next = || events.lock().unwrap().next();
                converse(&mut stream.unwrap(), next, &sender);
            });
        }
    });
    (address, outcomes)
}

fn converse(stream: &mut TcpStream, next: impl Fn() -> Option<Value>, sender: &mpsc::Sender<Outcome>) {
    while let Some((path, body)) = request(stream) {
        if path != "/2018-06-01/runtime/invocation/next" {
            respond(stream, "202 Accepted", "", "");
            sender.send((path, serde_json::from_slice(&body).unwrap())).unwrap();
        } else if let Some(event) = next() {
            let headers = "Lambda-Runtime-Aws-Request-Id: 1\r\nLambda-Runtime-Deadline-Ms: 9999999999999\r\n\
                           Lambda-Runtime-Invoked-Function-Arn: arn\r\n";
            respond(stream, "200 OK", headers, &event.to_string());
        }
    }
}

fn start(api: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_noop"))
        .env("AWS_LAMBDA_RUNTIME_API", api)
        .envs([("AWS_LAMBDA_FUNCTION_NAME", "noop"), ("AWS_LAMBDA_FUNCTION_VERSION", "1")])
        .envs([("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128")])
        .envs([("AWS_LAMBDA_LOG_GROUP_NAME", "group"), ("AWS_LAMBDA_LOG_STREAM_NAME", "stream")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Reads a request's path and body; `None` if the connection has ended.
fn request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return None;
    }
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    Some((first.split(' ').nth(1).unwrap().into(), body))
}

fn respond(stream: &mut TcpStream, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let response = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
    stream.write_all(response.as_bytes()).unwrap();
}

fn log_of(mut function: Child) -> String {
    function.kill().unwrap();
    let output = function.wait_with_output().unwrap();
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat()
}
