import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findValgrind } from "../../lib/toolchain/valgrind.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();

function command(name: string, script: string): void {
  writeFileSync(folder(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

const says = [
  "echo '==1== Using Valgrind-3.19.0-8d3c8034b8-20220411 and LibVEX; rerun with -h' >&2",
  "echo '--1-- Arch and hwcaps: AMD64, LittleEndian, amd64-avx2-rdrand' >&2",
].join("\n");

describe("valgrind", () => {
  it("is found on PATH with its version and the processor that it shows", () => {
    command("valgrind", says);
    command("vgdb", "");
    expect(findValgrind(`/nowhere:${folder()}`)).toEqual({
      command: folder("valgrind"),
      vgdb: folder("vgdb"),
      version: "3.19.0",
      processor: "AMD64, LittleEndian, amd64-avx2-rdrand",
    });
  });

  it("is none where a part of it is missing, or where it does not run", () => {
    expect(findValgrind(folder())).toBeUndefined();
    command("valgrind", says);
    expect(findValgrind(folder())).toBeUndefined();
    command("vgdb", "");
    command("valgrind", "echo 'failed to start tool' >&2; exit 1");
    expect(findValgrind(folder())).toBeUndefined();
  });

  it("names the tool that holds a process to some processors, where there is one", () => {
    command("valgrind", says);
    command("vgdb", "");
    command("taskset", "");
    expect(findValgrind(folder())?.taskset).toBe(folder("taskset"));
  });
});
