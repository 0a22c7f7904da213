//! Tells the code whether aws-lc was built with the jitter of the CPU's clock as a source of entropy.
//!
//! The variable that leaves it out is AWS_LC_SYS_NO_JITTER_ENTROPY, but targets may have one of their own and some
//! have no such source, so this looks at the library that was built.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// A function of the jitter library, part of its every build.
const SYMBOL: &[u8] = b"jent_read_entropy";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=AWS_LC_SYS_NO_JITTER_ENTROPY");
    println!("cargo:rustc-check-cfg=cfg(aws_lc_cpu_jitter)");
    // aws-lc-rs hands on what aws-lc-sys says of itself; there is none where aws-lc is no part of the build.
    let root =
        env::vars().find(|(name, _)| name.starts_with("DEP_AWS_LC_RS_") && name.ends_with("_SYS_ROOT"));
    if let Some((_, root)) = root
        && has_jitter(Path::new(&root))
    {
        println!("cargo:rustc-cfg=aws_lc_cpu_jitter");
    }
}

fn has_jitter(root: &Path) -> bool {
    let libraries = libraries_in(root);
    assert!(!libraries.is_empty(), "{}: found no static library of aws-lc", root.display());
    libraries.iter().any(|library| {
        println!("cargo:rerun-if-changed={}", library.display());
        match fs::read(library) {
            Ok(bytes) => bytes.windows(SYMBOL.len()).any(|window| window == SYMBOL),
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
