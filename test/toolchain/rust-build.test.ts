import { mkdirSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CargoBuild } from "../../lib/plan/experiment.ts";
import { buildRustBinaries } from "../../lib/toolchain/build-local.ts";
import {
  buildRecord,
  buildRustBinary,
  findTarget,
  rustBinaryPath,
} from "../../lib/toolchain/rust-build.ts";
import { FakeCargo } from "../support/fake-cargo.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const plain: CargoBuild = { binaryName: "some-function", profile: "release" };
const varied: CargoBuild = {
  binaryName: "some-function",
  profile: "varied",
  environment: { KELVIN_BUILD_PROBE: "1", KELVIN_OTHER_PROBE: "two" },
};

let cargo: FakeCargo;
const target = folderPerTest();

beforeEach(() => {
  cargo = new FakeCargo();
  vi.stubEnv("CARGO_TARGET_DIR", target());
});

describe("a Rust binary", () => {
  it("is built for Lambda by one command of its own and moved to its place", async () => {
    const path = await buildRustBinary(plain, {}, "x86_64");
    const name = plain.binaryName;
    expect(cargo.calls()).toEqual([
      `lambda build --lambda-dir FOLDER --release --x86-64 --bin ${name} --flatten ${name} ` +
        `--package ${name} --locked --disable-optimizations`,
    ]);
    expect(readFileSync(path, "utf8")).toContain(name);
    expect(readdirSync(join(path, ".."))).toEqual([name]);
  });

  it("has a place of its own for each architecture and profile", () => {
    const places = [plain, varied].flatMap((build) => [
      rustBinaryPath(build, "x86_64"),
      rustBinaryPath(build, "arm64"),
      rustBinaryPath(build, "this machine"),
    ]);
    expect(new Set(places).size).toBe(6);
    for (const place of places) expect(place.startsWith(target())).toBe(true);
  });

  it("is built with the variables of its build, and its record names them and the profile", async () => {
    await buildRustBinary(varied, {}, "arm64");
    expect(cargo.calls()[0]).toContain("--profile varied --arm64");
    expect(cargo.environment()).toEqual(
      expect.arrayContaining(["KELVIN_BUILD_PROBE=1", "KELVIN_OTHER_PROBE=two"]),
    );
    expect(buildRecord(varied, "arm64")).toEqual({
      tool: "cargo lambda, as deployed",
      profile: "varied",
      target: "Linux, arm64",
      environment: "KELVIN_BUILD_PROBE=1 KELVIN_OTHER_PROBE=two",
    });
    expect(buildRecord(plain, "this machine")).toEqual({
      tool: "cargo",
      profile: "release",
      target: "this machine",
    });
  });

  it("is built beside other builds, of which those killed a day ago are swept away", async () => {
    const place = join(rustBinaryPath(plain, "x86_64"), "..");
    const [old, young] = [join(place, "other-AbCdEf"), join(place, "other-GhIjKl")];
    for (const folder of [old, young]) mkdirSync(folder, { recursive: true });
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    utimesSync(old, hoursAgo(25), hoursAgo(25));
    utimesSync(young, hoursAgo(23), hoursAgo(23));
    await buildRustBinary(plain, {}, "x86_64");
    expect(readdirSync(place).sort()).toEqual(["other-GhIjKl", plain.binaryName]);
  });

  it("cannot be built without cargo: that is said, and nothing half-built is left", async () => {
    vi.stubEnv("PATH", "/nowhere");
    await expect(buildRustBinary(plain, {}, "x86_64")).rejects.toThrow(/cargo: found nothing/);
    expect(readdirSync(join(rustBinaryPath(plain, "x86_64"), ".."))).toEqual([]);
  });

  it("is taken out again when another build of its profile took it along", async () => {
    cargo.takeBinaries(2);
    const path = await buildRustBinary(varied, {}, "arm64");
    expect(cargo.calls()).toHaveLength(3);
    expect(readFileSync(path, "utf8")).toContain(varied.binaryName);
  });

  it("is missed when others took it along every time, and the error says so", async () => {
    cargo.takeBinaries(5);
    const building = buildRustBinary(varied, {}, "arm64");
    await expect(building).rejects.toThrow(
      /left no .*bootstrap: is another build of varied running/,
    );
  });

  it.each([
    ["made zig's wrapper", "File exists (os error 17)"],
    ["moved the binary away", "error moving the binary `target/noop`: No such file or directory"],
  ])("is built at the next attempt when another build %s at the same moment", async (_, words) => {
    cargo.collide(4, words);
    const path = await buildRustBinary(plain, {}, "x86_64");
    expect(cargo.calls()).toHaveLength(5);
    expect(readFileSync(path, "utf8")).toContain(plain.binaryName);
  });

  it("is not asked for again when the compiler fails, or when the wrapper is in the way each time", async () => {
    const broken = { ...plain, binaryName: "broken-function" };
    await expect(buildRustBinary(broken, {}, "x86_64")).rejects.toThrow("exit status 101");
    expect(cargo.calls()).toHaveLength(1);
    cargo.collide(5, "File exists (os error 17)");
    await expect(buildRustBinary(plain, {}, "x86_64")).rejects.toThrow("File exists");
    expect(cargo.calls()).toHaveLength(6);
  });

  it("that cannot be built ends the builds of other profiles, compilers included", async () => {
    const endless: CargoBuild = { binaryName: "endless-function", profile: "varied" };
    const broken: CargoBuild = { binaryName: "late-broken-function", profile: "release" };
    const { signal } = new AbortController();
    const building = buildRustBinaries([endless, broken], "x86_64", { signal });
    await expect(building).rejects.toThrow(/status 101/);
    expect(cargo.isCompiling()).toBe(false);
  });

  it("is built for Lambda where Lambda's binaries run, and for this machine elsewhere", () => {
    expect(findTarget("linux", "x64")).toBe("x86_64");
    expect(findTarget("linux", "arm64")).toBe("arm64");
    expect(findTarget("linux", "riscv64")).toBe("this machine");
    expect(findTarget("darwin", "arm64")).toBe("this machine");
  });
});
