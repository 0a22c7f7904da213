//! Passes on what built the function, and what its aws-lc was built with: a result says it, and nothing tells it at run
//! time.

use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A function of aws-lc's library for the jitter of the CPU's clock, part of its every build.
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

/// `aws_lc` returns the path of this build's aws-lc: aws-lc-rs hands on what aws-lc-sys says of itself. It is `None`
/// where aws-lc is no part of the build.
fn aws_lc() -> Option<PathBuf> {
    let root =
        env::vars().find(|(name, _)| name.starts_with("DEP_AWS_LC_RS_") && name.ends_with("_SYS_ROOT"));
    root.map(|(_, root)| root.into())
}

/// The variable that leaves the jitter out is AWS_LC_SYS_NO_JITTER_ENTROPY, but targets may have one of their own and
/// some have no such source, so this looks at the library that was built.
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
