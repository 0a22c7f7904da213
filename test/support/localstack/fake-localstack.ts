import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

/** Stands in for LocalStack's command line, first on the PATH of its environment. */
export class FakeLocalstack {
  readonly folder = temporaryFolder();
  /** What a process needs to find it and to start it. */
  readonly environment: Readonly<Record<string, string>>;

  /** `container` is a command line with PORT in the place of the port on which it serves. */
  constructor(token: string, container = "sleep 600") {
    const program = join(import.meta.dirname, "fake-localstack.mjs");
    const path = join(this.folder, "localstack");
    // Its own variables are no command's of Kelvin's.
    const own = `FAKE_LOCALSTACK='${this.folder}' FAKE_CONTAINER='${container}'`;
    const script = `${own} exec "${process.execPath}" "${program}" "$@"`;
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    this.environment = {
      PATH: [this.folder, process.env.PATH].join(delimiter),
      LOCALSTACK_AUTH_TOKEN: token,
    };
  }

  /** A line a call: its words, its address and its container, the port of both masked. */
  calls(): readonly string[] {
    const path = join(this.folder, "calls");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  /** Names of the containers that nobody stopped. */
  running(): readonly string[] {
    return readdirSync(this.folder).filter((name) => name.endsWith(".pid"));
  }

  stopAll(): void {
    for (const name of this.running()) {
      process.kill(Number(readFileSync(join(this.folder, name), "utf8")), "SIGKILL");
    }
  }
}
