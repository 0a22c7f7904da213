//! Entry point of the s3-fanout experiment's variant `rust-serial`.

use bench_core::{Boot, StartResult, serve};
use s3_fanout::sdk::{connect, version};
use s3_fanout::{Flow, Function};

#[tokio::main]
async fn main() -> StartResult {
    let boot = Boot::new()?.with_sdk(version());
    let function = Function::new("rust-serial", boot, Flow::Serial, connect().await?);
    serve(async |event| function.invoke(&event).await).await
}
