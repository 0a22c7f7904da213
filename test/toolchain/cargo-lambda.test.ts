import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { zigLookups } from "../../lib/toolchain/rust-build.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const venv = folderPerTest();
const pathBefore = process.env.PATH;

function installZig(): string {
  const folder = venv("lib", "python3.13", "site-packages", "ziglang");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "zig"), "");
  return join(folder, "zig");
}

function installRustc(says: string): void {
  writeFileSync(venv("rustc"), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 });
  vi.stubEnv("PATH", [venv(), pathBefore].join(delimiter));
}

describe("what cargo-lambda would look up for each C file", () => {
  it("is told beforehand: where zig lies, and the version of rustc", () => {
    const zig = installZig();
    installRustc("rustc 1.94.1 (0123456789 2026-03-26)");
    expect(zigLookups(venv())).toEqual({
      CARGO_ZIGBUILD_PYTHON_PATH: "false",
      CARGO_ZIGBUILD_ZIG_PATH: zig,
      CARGO_ZIGBUILD_RUSTC_VERSION: "1.94.1",
    });
  });

  it("is left to it where zig or rustc is not to be found", () => {
    expect(zigLookups(venv())).toEqual({});
    installZig();
    vi.stubEnv("PATH", "/nowhere");
    expect(zigLookups(venv())).toEqual({});
  });
});
