//! Passes on what built the function: a result says it, and nothing tells it at run time.

use std::env;
use std::path::{Component, Path};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=KELVIN_RUSTC_VERSION={}", rustc_version());
    println!("cargo:rustc-env=KELVIN_PROFILE={}", profile());
}

/// The number alone ("1.95.0") out of `rustc 1.95.0 (59807616e 2026-04-14)`.
fn rustc_version() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
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

/// The profile's folder. `PROFILE` names only the one it inherits from; the name itself stands in the path alone:
/// <https://doc.rust-lang.org/cargo/reference/environment-variables.html#environment-variables-cargo-sets-for-build-scripts>
fn profile() -> String {
    let out = env::var("OUT_DIR").unwrap_or_default();
    let folders: Vec<_> = Path::new(&out).components().map(Component::as_os_str).collect();
    match folders.iter().rposition(|folder| *folder == "build") {
        Some(build) if build > 0 => folders[build - 1].to_string_lossy().into(),
        _ => panic!("OUT_DIR: found {out:?}; expected .../<profile>/build/<package>/out"),
    }
}
