//! Records which compiler and profile built the function, and how its aws-lc was built: results report these, and
//! they cannot be determined at run time.

use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A function that is in every aws-lc library built with CPU jitter entropy.
const JITTER: &[u8] = b"jent_read_entropy";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=KELVIN_RUSTC_VERSION={}", rustc_version());
    println!("cargo:rustc-env=KELVIN_PROFILE={}", profile());
    println!("cargo:rerun-if-env-changed=AWS_LC_SYS_NO_JITTER_ENTROPY");
    println!("cargo:rustc-check-cfg=cfg(aws_lc_cpu_jitter)");
    if aws_lc().is_some_and(|root| has_jitter(&root)) {
        println!("cargo:rustc-cfg=aws_lc_cpu_jitter");
    }
}

/// Returns the path of this build's aws-lc, which aws-lc-rs passes on from aws-lc-sys, or `None` if the build has no
/// aws-lc.
fn aws_lc() -> Option<PathBuf> {
    let root =
        env::vars().find(|(name, _)| name.starts_with("DEP_AWS_LC_RS_") && name.ends_with("_SYS_ROOT"));
    root.map(|(_, root)| root.into())
}

/// Searches the built library itself: AWS_LC_SYS_NO_JITTER_ENTROPY excludes the jitter, but targets may have
/// variables of their own, and some have no such source.
fn has_jitter(root: &Path) -> bool {
    let libraries = libraries_in(root);
    assert!(!libraries.is_empty(), "{}: found no static library of aws-lc", root.display());
    libraries.iter().any(|library| {
        println!("cargo:rerun-if-changed={}", library.display());
        match fs::read(library) {
            Ok(bytes) => bytes.windows(JITTER.len()).any(|window| window == JITTER),
            Err(error) => panic!("{}: {error}", library.display()),
        }
    })
}

fn libraries_in(root: &Path) -> Vec<PathBuf> {
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) => panic!("{}: {error}", root.display()),
    };
    let is_library =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "a" || extension == "lib");
    entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(is_library).collect()
}

/// Extracts the number ("1.95.0") from `rustc 1.95.0 (59807616e 2026-04-14)`.
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

/// Returns the profile's name, which only the path contains: `PROFILE` gives the profile it inherits from.
/// <https://doc.rust-lang.org/cargo/reference/environment-variables.html#environment-variables-cargo-sets-for-build-scripts>
fn profile() -> String {
    let out = env::var("OUT_DIR").unwrap_or_default();
    let folders: Vec<_> = Path::new(&out).components().map(Component::as_os_str).collect();
    match folders.iter().rposition(|folder| *folder == "build") {
        Some(build) if build > 0 => folders[build - 1].to_string_lossy().into(),
        _ => panic!("OUT_DIR: found {out:?}; expected .../<profile>/build/<package>/out"),
    }
}
