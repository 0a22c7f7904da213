//! S3 on this machine, in memory or in a folder, by s3s.

mod buckets;
mod errors;
mod facts;
mod reads;
mod refusals;
mod server;
mod stored;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use s3s_fs::FileSystem;
use standins::{Transport, exit_code, serve};

#[derive(Parser)]
#[command(version, about = "S3 on this machine, in memory or in a folder, by s3s", long_about = None)]
struct Arguments {
    #[command(flatten)]
    transport: Transport,
    /// Keep objects in this folder, and answer all calls on objects; without it, only those that the experiments make
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

// One thread: a request crosses no thread on its way through TLS and back, and the other cores stay the functions'.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    exit_code("standin-s3", run(Arguments::parse()).await)
}

fn open(folder: &Path) -> Result<FileSystem, String> {
    FileSystem::new(folder).map_err(|error| format!("{} cannot be used: {error:?}", folder.display()))
}

async fn run(Arguments { transport, store }: Arguments) -> Result<(), Box<dyn Error>> {
    let service = match store {
        None => server::experiment_service(),
        Some(folder) => server::user_service(open(&folder)?),
    };
    serve("s3", transport, |listener| server::answer(listener, service)).await
}
