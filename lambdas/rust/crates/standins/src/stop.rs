//! When a stand-in ends.

use std::io::{self, Read};
use std::thread;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// Returns when standard input ends, or on SIGTERM or SIGINT.
pub async fn stopped() -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = input_ended() => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

/// A thread of its own: tokio's reader would keep the process alive until the next byte.
async fn input_ended() {
    let (ended, end) = oneshot::channel::<()>();
    thread::spawn(move || {
        let mut bytes = [0; 256];
        while matches!(io::stdin().read(&mut bytes), Ok(1..)) {}
        drop(ended);
    });
    let _ = end.await;
}
