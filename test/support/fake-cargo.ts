import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { vi } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

/**
 * Says that cargo-lambda is there, writes a bootstrap, and keeps what it was asked and told. `broken-function` cannot
 * be built, nor can `late-broken-function`, which fails once the compiler of `endless-function` runs, as it does until it
 * is killed.
 */
const script = `#!/bin/sh
[ "$2" = "--version" ] && exit 0
folder="$(dirname "$0")"
echo "$@" >> "$folder/calls"
env > "$folder/environment"
[ -s "$folder/collisions" ] && head -n 1 "$folder/collisions" >&2 && sed -i 1d "$folder/collisions" && exit 1
case "$*" in
  *late-broken-function*) until [ -s "$folder/compiler" ]; do sleep 0.05; done; exit 101 ;;
  *broken-function*) exit 101 ;;
  *endless-function*) sleep 60 & echo $! > "$folder/compiler"; wait ;;
esac
[ -s "$folder/taken" ] && sed -i 1d "$folder/taken" && exit 0
while [ "$1" != "--lambda-dir" ]; do shift; done
echo "$@" > "$2/bootstrap"
`;

/** Stands in for cargo, first on PATH to the end of the test. */
export class FakeCargo {
  readonly folder = temporaryFolder();

  constructor() {
    writeFileSync(join(this.folder, "cargo"), script);
    chmodSync(join(this.folder, "cargo"), 0o755);
    vi.stubEnv("PATH", [this.folder, process.env.PATH].join(delimiter));
  }

  /** The arguments of each call. The folder that a call is given is another one every time. */
  calls(): readonly string[] {
    const lines = readFileSync(join(this.folder, "calls"), "utf8").trim().split("\n");
    return lines.map((line) => line.replace(/--lambda-dir \S+/, "--lambda-dir FOLDER"));
  }

  /** The environment of the last call, a variable a line. */
  environment(): readonly string[] {
    return readFileSync(join(this.folder, "environment"), "utf8").split("\n");
  }

  /** So many times cargo ends well and leaves no binary: another build has taken it along. */
  takeBinaries(times: number): void {
    writeFileSync(join(this.folder, "taken"), "taken\n".repeat(times));
  }

  /** So many times it fails with these words: another build was there at the same moment. */
  collide(times: number, words: string): void {
    writeFileSync(join(this.folder, "collisions"), `${words}\n`.repeat(times));
  }

  /** Whether a compiler of `endless-function` is running. A process that has ended and was not waited for is not. */
  isCompiling(): boolean {
    const pid = readFileSync(join(this.folder, "compiler"), "utf8").trim();
    if (!existsSync(`/proc/${pid}/stat`)) return false;
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  }
}
