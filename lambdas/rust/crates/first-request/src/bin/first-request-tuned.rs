//! Entry point of the first-request experiment's variant `tuned`.

use std::error::Error;
use std::process::ExitCode;

use bench_core::fast_client::Roots;
use bench_core::runtime_api::{Context, run};
use bench_core::{Boot, Warmup};
use dynamodb::Table;
use dynamodb::sdk::fast::{connect, stack};
use dynamodb::sdk::version;
use first_request::Function;

fn main() -> ExitCode {
    run(async || {
        let roots = Roots::of_environment();
        let boot = Boot::new()?.built_on(stack(roots))?.with_sdk(version());
        let table = connect(roots).await?;
        let warmup = Warmup::within(Warmup::limit()?, table.get("seed", "item-00")).await;
        let function = Function::new("tuned", boot.warmed(warmup), table);
        Ok::<_, Box<dyn Error>>(async move |event, _: &Context| function.invoke(&event).await)
    })
}
