import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import {
  lockedVersion,
  lockedVersions,
  pinnedRust,
  prepareRust,
} from "../../lib/toolchain/rust-toolchain.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

it("tells the version that the workspace's lockfile has of a crate", () => {
  expect(lockedVersion("dynoxide-rs")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(lockedVersions("dynoxide-rs")).toEqual([lockedVersion("dynoxide-rs")]);
});

it("tells every version of a crate that is locked in several", () => {
  expect(new Set(lockedVersions("hashbrown")).size).toBeGreaterThan(1);
});

it("tells none of a crate that is not locked, also where its name begins another's", () => {
  expect(lockedVersion("aws-sdk")).toBeUndefined();
  expect(lockedVersions("aws-sdk")).toEqual([]);
});

const pinned = pinnedRust();
const folder = folderPerTest();
beforeEach(() => {
  vi.stubEnv("PATH", [folder(), "/usr/bin", "/bin"].join(delimiter));
});

function command(name: string, script: string): void {
  writeFileSync(folder(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
const rustc = (version: string) => command("rustc", `echo 'rustc ${version} (abc 2026-01-01)'`);
/** Keeps what it was asked; has the pinned Rust or not. */
const rustup = (has: boolean) =>
  command("rustup", `echo "$@" >> ${folder()}/asked; [ "$1" != run ] || ${has}`);
const asked = () => readFileSync(folder("asked"), "utf8").trim().split("\n");

describe("the pinned Rust", () => {
  it("is one whole version, no older than the workspace asks for", () => {
    const manifest = readFileSync(join(projectPaths.rust, "Cargo.toml"), "utf8");
    const [, oldest = ""] = /^rust-version = "([\d.]+)"$/m.exec(manifest) ?? [];
    const order = pinned.localeCompare(oldest, "en", { numeric: true });
    expect(order).toBeGreaterThanOrEqual(0);
    writeFileSync(folder("rust-toolchain.toml"), '[toolchain]\nchannel = "stable"\n');
    expect(() => pinnedRust(folder())).toThrow(/found no channel; expected a whole version/);
  });

  it("is installed by rustup where it is missing, and left alone where it is there", async () => {
    rustc(pinned);
    rustup(false);
    expect(await prepareRust()).toBe(`Rust ${pinned}, as pinned`);
    expect(asked().map((line) => line.split(" --")[0])).toEqual([
      `run ${pinned} rustc`,
      `toolchain install ${pinned}`,
      "target add aarch64-unknown-linux-gnu x86_64-unknown-linux-gnu",
    ]);
    rmSync(folder("asked"));
    rustup(true);
    await prepareRust();
    expect(asked().filter((line) => line.includes("install"))).toEqual([]);
  });

  it("is named where there is no rustup and another Rust, or none", async () => {
    rustc("1.94.1");
    const remedy = `rust-toolchain.toml pins ${pinned}, which rustup (https://rustup.rs) would take`;
    expect(await prepareRust()).toContain(`Rust 1.94.1: ${remedy}; see that it has the targets`);
    rmSync(folder("rustc"));
    expect(await prepareRust()).toContain(`Rust: found none; ${remedy}`);
  });
});
