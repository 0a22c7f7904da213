//! Compares the built binaries with the cryptography that their variants report.
//!
//! Binaries that were not built are skipped. `tuned` is not included, because it has no symbols.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

/// A function of aws-lc's jitter library, and the prefix of all aws-lc symbols.
const JITTER: &str = "jent_entropy_collector_alloc";
const AWS_LC: &str = "aws_lc_0_";

#[test]
fn only_no_jitter_and_ring_are_without_the_jitter_of_the_cpu() {
    for variant in ["unwarmed", "warmed", "breakdown"] {
        for binary in built("release", variant) {
            assert!(contains(&binary, JITTER), "{}: found no {JITTER}", binary.display());
        }
    }
    for (profile, variant) in [("no-jitter", "no-jitter"), ("release", "ring")] {
        for binary in built(profile, variant) {
            assert!(!contains(&binary, JITTER), "{}: found {JITTER}", binary.display());
        }
    }
}

#[test]
fn no_jitter_stands_on_aws_lc_and_ring_does_not() {
    for binary in built("no-jitter", "no-jitter") {
        assert!(contains(&binary, AWS_LC), "{}: found no {AWS_LC}", binary.display());
    }
    for binary in built("release", "ring") {
        assert!(!contains(&binary, AWS_LC), "{}: found {AWS_LC}", binary.display());
    }
}

/// Returns the variant's binaries for this machine and for every target that cargo was given.
fn built(profile: &str, variant: &str) -> Vec<PathBuf> {
    let test = std::env::current_exe().unwrap();
    // <target>/<profile>/deps/<test>
    let target = test.ancestors().nth(3).unwrap();
    let binary = Path::new(profile).join(format!("first-request-{variant}"));
    let targets = fs::read_dir(target).unwrap().map(|entry| entry.unwrap().path());
    targets
        .chain([target.to_owned()])
        .map(|folder| folder.join(&binary))
        .filter(|path| path.exists())
        .collect()
}

fn contains(binary: &Path, symbol: &str) -> bool {
    fs::read(binary).unwrap().windows(symbol.len()).any(|window| window == symbol.as_bytes())
}
