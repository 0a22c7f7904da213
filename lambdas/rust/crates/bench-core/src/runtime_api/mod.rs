//! A minimal Lambda runtime for one thread and one invocation at a time.
//!
//! It uses the Runtime API over one connection: <https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html>. It
//! lacks what `lambda_runtime` has beyond that: streamed responses, layers, extensions, SnapStart hooks and
//! concurrent invocations.

mod connection;
mod message;
mod stream;
#[cfg(test)]
#[cfg(feature = "runtime-api-tokio")]
mod tests;
mod trace;

use std::fmt::Display;
use std::net::TcpStream;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{self, Poll, Waker};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, io};

use serde::Serialize;
use serde_json::Value;

use crate::ErrorType;
use connection::Connection;
use message::{Answer, Request};
use stream::Stream;
pub use trace::trace_id;

const ADDRESS: &str = "AWS_LAMBDA_RUNTIME_API";
const NEXT: &str = "/2018-06-01/runtime/invocation/next";
const INIT_ERROR: &str = "/2018-06-01/runtime/init/error";
const REQUEST_ID: &str = "lambda-runtime-aws-request-id";
/// Identifies one attempt of a request; Lambda requires it with the outcome.
const INVOCATION_ID: &str = "lambda-runtime-invocation-id";
const DEADLINE_MS: &str = "lambda-runtime-deadline-ms";
const TRACE_ID: &str = "lambda-runtime-trace-id";
const FUNCTION_ARN: &str = "lambda-runtime-invoked-function-arn";
const ERROR_TYPE: &str = "lambda-runtime-function-error-type";

/// What Lambda reports about an invocation besides its event.
#[derive(Debug, Clone)]
pub struct Context {
    /// Request id, as in the log.
    pub request_id: String,
    /// Time at which Lambda ends the invocation.
    pub deadline: SystemTime,
    /// ARN by which the function was called, including a version or alias.
    pub invoked_function_arn: Option<String>,
    /// X-Ray header to pass on with calls.
    pub trace_id: Option<String>,
}

/// Runs a function until Lambda ends the process: Init, then one invocation after another on this thread.
///
/// An Init error is reported and ends the process, as Lambda requires. A panic also ends the process if the profile
/// aborts on panic; Lambda then starts a new one.
#[cfg(feature = "runtime-api-tokio")]
pub fn run<H, R, E, I>(init: impl AsyncFnOnce() -> Result<H, I>) -> ExitCode
where
    H: AsyncFn(Value, &Context) -> Result<R, E>,
    R: Serialize,
    E: ErrorType,
    I: Display,
{
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_io().enable_time().build();
    exit_code(
        runtime.and_then(|runtime| {
            runtime.block_on(serve::<tokio::net::TcpStream, _, _, _, _>(address()?, init))
        }),
    )
}

/// Like `run`, for a function that awaits nothing: the thread blocks on Lambda, without an async runtime.
pub fn run_blocking<H, R, E, I>(init: impl FnOnce() -> Result<H, I>) -> ExitCode
where
    H: Fn(Value, &Context) -> Result<R, E>,
    R: Serialize,
    E: ErrorType,
    I: Display,
{
    let init =
        async || init().map(|handle| async move |event: Value, context: &Context| handle(event, context));
    exit_code(address().and_then(|address| ready(serve::<TcpStream, _, _, _, _>(address, init))))
}

/// Returns the output of a future that never waits.
fn ready<T>(future: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    match pin!(future).poll(&mut task::Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => {
            Err(io::Error::other("the function awaits something, and has no runtime to wake it"))
        }
    }
}

fn address() -> io::Result<String> {
    env::var(ADDRESS).map_err(|_| {
        io::Error::other(
            "AWS_LAMBDA_RUNTIME_API: found nothing; expected the Runtime API's address, which Lambda sets",
        )
    })
}

fn exit_code(served: io::Result<()>) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve<S, H, R, E, I>(address: String, init: impl AsyncFnOnce() -> Result<H, I>) -> io::Result<()>
where
    S: Stream,
    H: AsyncFn(Value, &Context) -> Result<R, E>,
    R: Serialize,
    E: ErrorType,
    I: Display,
{
    let mut lambda = Connection::<S>::to(address);
    let handle = match init().await {
        Ok(handle) => handle,
        Err(error) => {
            let report = failure("Runtime.InitError", &error.to_string());
            lambda.exchange(&report.to(INIT_ERROR)).await?;
            return Err(io::Error::other(error.to_string()));
        }
    };
    loop {
        let invocation = lambda.exchange(&Request::get(NEXT)).await?;
        if invocation.status != 200 {
            return Err(io::Error::other(format!(
                "{NEXT}: found status {}; expected 200",
                invocation.status
            )));
        }
        let context = context_of(&invocation)?;
        let outcome =
            trace::with(context.trace_id.as_deref(), invoke(&handle, &invocation.body, &context)).await;
        let path = |end| format!("/2018-06-01/runtime/invocation/{}/{end}", context.request_id);
        let outcome = match outcome {
            Outcome::Response(body) => Request::post(body).to(path("response")),
            Outcome::Error(report) => report.to(path("error")),
        };
        let outcome = outcome.with(INVOCATION_ID, invocation.header(INVOCATION_ID));
        accepted(&lambda.exchange(&outcome).await?)?;
    }
}

enum Outcome {
    Response(Vec<u8>),
    Error(Request),
}

async fn invoke<H, R, E>(handle: &H, event: &[u8], context: &Context) -> Outcome
where
    H: AsyncFn(Value, &Context) -> Result<R, E>,
    R: Serialize,
    E: ErrorType,
{
    let event = match serde_json::from_slice(event) {
        Ok(event) => event,
        Err(error) => return Outcome::Error(failure("Runtime.UnmarshalError", &error.to_string())),
    };
    match handle(event, context).await {
        Ok(result) => match serde_json::to_vec(&result) {
            Ok(body) => Outcome::Response(body),
            Err(error) => Outcome::Error(failure("Runtime.MarshalError", &error.to_string())),
        },
        Err(error) => Outcome::Error(failure(error.error_type(), &error.to_string())),
    }
}

/// The error that Lambda returns to the caller of a failed invocation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    error_type: &'a str,
    error_message: &'a str,
    stack_trace: [&'a str; 0],
}

/// Builds the request that reports an error to Lambda.
fn failure(error_type: &str, message: &str) -> Request {
    let report = Report { error_type, error_message: message, stack_trace: [] };
    // It contains only strings, so serializing it cannot fail.
    let body = serde_json::to_vec(&report).unwrap_or_default();
    Request::post(body).with(ERROR_TYPE, Some(error_type))
}

fn context_of(invocation: &Answer) -> io::Result<Context> {
    let header = |name| invocation.header(name).map(String::from);
    let missing = |name| io::Error::other(format!("{NEXT}: found no usable {name}"));
    let deadline = invocation.header(DEADLINE_MS).and_then(|text| text.parse().ok());
    Ok(Context {
        request_id: header(REQUEST_ID).ok_or_else(|| missing(REQUEST_ID))?,
        deadline: UNIX_EPOCH + Duration::from_millis(deadline.ok_or_else(|| missing(DEADLINE_MS))?),
        invoked_function_arn: header(FUNCTION_ARN),
        trace_id: header(TRACE_ID),
    })
}

/// 500 means that the process must end. After any other refusal (413: the result exceeds Lambda's 6 MB), Lambda has
/// informed the caller, and the next invocation may succeed.
fn accepted(answer: &Answer) -> io::Result<()> {
    match answer.status {
        200..300 => Ok(()),
        500.. => Err(io::Error::other(format!("the outcome was answered with status {}", answer.status))),
        status => {
            eprintln!(
                "the outcome was refused with status {status}: {}",
                String::from_utf8_lossy(&answer.body)
            );
            Ok(())
        }
    }
}
