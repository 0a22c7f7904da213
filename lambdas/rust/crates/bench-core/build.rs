//! Passes the compiler's version on: a result says what built the function, and nothing tells it at run time.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=KELVIN_RUSTC_VERSION={}", rustc_version());
}

/// The number alone ("1.95.0") out of `rustc 1.95.0 (59807616e 2026-04-14)`.
fn rustc_version() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = match Command::new(&rustc).arg("--version").output() {
        Ok(output) => output,
        Err(error) => panic!("cannot run {rustc} --version: {error}"),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    match text.split_whitespace().nth(1) {
        Some(version) => version.into(),
        None => panic!("{rustc} --version: found {text:?}; expected `rustc <version> ...`"),
    }
}
