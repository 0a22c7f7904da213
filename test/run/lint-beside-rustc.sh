#!/usr/bin/env bash
# Cargo runs this in the compiler's place (RUSTC_WRAPPER): the compiler as it is, then clippy over the workspace's own
# crates with the very words that each was compiled with. So what is built for the end-to-end tests is linted without
# its dependencies being compiled once more for clippy. Cargo keeps no note of a wrapper: what it built counts as built
# for every command that comes without one.
# https://doc.rust-lang.org/cargo/reference/environment-variables.html#environment-variables-cargo-reads
set -euo pipefail
rustc=$1
shift
"$rustc" "$@"
crates=${BASH_SOURCE[0]%/test/run/*}/lambdas/rust/crates
case "${CARGO_MANIFEST_DIR:-}" in
  "$crates"/*) ;;
  *) exit 0 ;;
esac
# Cargo asks the compiler what it is by the same wrapper, without a crate.
[[ " $* " == *" --crate-name "* ]] || exit 0

words=()
while (($# > 0)); do
  case $1 in
    --emit=*) ;;
    # Cargo would take the second notice of a file for the first.
    --json=*) words+=("--json=diagnostic-rendered-ansi,future-incompat") ;;
    --out-dir) shift ;;
    *) words+=("$1") ;;
  esac
  shift
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
clippy-driver "$rustc" "${words[@]}" --emit=metadata --out-dir "$scratch" -D warnings
