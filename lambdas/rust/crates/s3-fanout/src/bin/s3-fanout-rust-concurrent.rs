//! Entry point of the s3-fanout experiment's variant `rust-concurrent`.

use bench_core::{Boot, StartResult, serve};
use s3_fanout::sdk::{connect, version};
use s3_fanout::{Flow, Function};

/// As many concurrent calls as boto3 keeps connections by default.
const FLOW: Flow = Flow::Concurrent { usual: 10 };

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.with_sdk(version());
    let function = Function::new("rust-concurrent", boot, FLOW, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
