import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { vi } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

/**
 * Fakes an installed cargo-lambda: writes a bootstrap, and records its arguments and environment. `broken-function`
 * fails to build. `endless-function` compiles until it is killed. `late-broken-function` fails once that compiler
 * runs.
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

/** Replaces cargo, first on PATH until the end of the test. */
export class FakeCargo {
  readonly folder = temporaryFolder();

  constructor() {
    writeFileSync(join(this.folder, "cargo"), script, { mode: 0o755 });
    vi.stubEnv("PATH", [this.folder, process.env.PATH].join(delimiter));
  }

  /** Returns the arguments of each call, with the output folder masked because it is always another one. */
  calls(): readonly string[] {
    const lines = readFileSync(join(this.folder, "calls"), "utf8").trim().split("\n");
    return lines.map((line) => line.replace(/--lambda-dir \S+/, "--lambda-dir FOLDER"));
  }

  /** Returns the environment of the last call, one variable per line. */
  environment(): readonly string[] {
    return readFileSync(join(this.folder, "environment"), "utf8").split("\n");
  }

  /** Makes the next `times` calls succeed without a binary, as if another concurrent build took it. */
  takeBinaries(times: number): void {
    writeFileSync(join(this.folder, "taken"), "taken\n".repeat(times));
  }

  /** Makes the next `times` calls fail with this message, as in a collision with another build. */
  collide(times: number, words: string): void {
    writeFileSync(join(this.folder, "collisions"), `${words}\n`.repeat(times));
  }

  /** Whether the compiler of `endless-function` is running; false for a zombie process. */
  isCompiling(): boolean {
    const pid = readFileSync(join(this.folder, "compiler"), "utf8").trim();
    if (!existsSync(`/proc/${pid}/stat`)) return false;
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  }
}
