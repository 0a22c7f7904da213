import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

/** Replaces LocalStack's CLI, first on the PATH of its environment. */
export class FakeLocalstack {
  readonly folder = temporaryFolder();
  /** Environment variables with which a process finds the fake and can start it. */
  readonly environment: Readonly<Record<string, string>>;

  /** @param container a command line with PORT instead of the port to serve on */
  constructor(token: string, container = "sleep 600") {
    const program = join(import.meta.dirname, "fake-localstack.mjs");
    const path = join(this.folder, "localstack");
    // The script sets them, because Kelvin does not pass these variables to its commands.
    const own = `FAKE_LOCALSTACK='${this.folder}' FAKE_CONTAINER='${container}'`;
    const script = `${own} exec "${process.execPath}" "${program}" "$@"`;
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    this.environment = {
      PATH: [this.folder, process.env.PATH].join(delimiter),
      LOCALSTACK_AUTH_TOKEN: token,
    };
  }

  /** Returns one line per call: its arguments, address and container, with the port masked. */
  calls(): readonly string[] {
    const path = join(this.folder, "calls");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  /** Returns the names of the containers that were not stopped. */
  running(): readonly string[] {
    return readdirSync(this.folder).filter((name) => name.endsWith(".pid"));
  }

  stopAll(): void {
    for (const name of this.running()) {
      process.kill(Number(readFileSync(join(this.folder, name), "utf8")), "SIGKILL");
    }
  }
}
