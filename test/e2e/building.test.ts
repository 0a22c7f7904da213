import { mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { App, FileSystem, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { measuredFunction } from "../../lib/infra/function-matrix.ts";
import type { CargoBuild, Variant } from "../../lib/plan/experiment.ts";
import { listCargoBuilds } from "../../lib/toolchain/build-local.ts";
import { writeDriverBundle } from "../../lib/toolchain/driver-bundle.ts";
import { cargoLambdaArguments } from "../../lib/toolchain/rust-build.ts";
import { FakeCargo } from "../support/fake-cargo.ts";
import { synthStack } from "../support/synth.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const building = { "aws:cdk:bundling-stacks": ["**"] };

let cargo: FakeCargo;
const outside = temporaryFolder();

beforeEach(() => {
  cargo = new FakeCargo();
});

/** The command of a run on one machine. */
const command = (build: CargoBuild) => cargoLambdaArguments(build, "arm64", "FOLDER").join(" ");

describe("building the stack", () => {
  it("builds each Rust variant once for all of its cells, by the command of a local run", () => {
    const stack = synthStack(building);
    const builds = listCargoBuilds(experimentById("dynamodb").variants);
    expect(builds.map(({ profile }) => profile)).toEqual(["release", "tuned"]);
    expect(cargo.calls()).toEqual(builds.map(command));

    const template = Template.fromStack(stack);
    const measured = Object.values(template.findResources("AWS::Lambda::Function"))
      .map((found) => found.Properties)
      .filter((properties) => /^(provided|python)/.test(properties.Runtime));
    expect(new Set(measured.map((properties) => properties.Code.S3Key)).size).toBe(3);

    const outdir = (stack.node.root as unknown as { readonly outdir: string }).outdir;
    const python = measured.find((properties) => properties.Runtime.startsWith("python"));
    const pythonAsset = join(outdir, `asset.${basename(python?.Code.S3Key, ".zip")}`);
    expect(readdirSync(pythonAsset).sort()).toEqual(["bench_core", "dynamodb"]);
    const files = readdirSync(pythonAsset, { recursive: true }).map(String);
    expect(files.filter((file) => !/(^[a-z_]+|\.py)$/.test(file))).toEqual([]);

    const drivers = Object.values(template.findResources("AWS::Lambda::Function"))
      .map((found) => found.Properties)
      .filter((properties) => String(properties.Description).startsWith("Kelvin's driver"));
    expect(drivers).toHaveLength(10);
    const load = createRequire(import.meta.url);
    const [hash = "", ...others] = new Set(drivers.map(({ Code }) => basename(Code.S3Key, ".zip")));
    expect(others, "one archive for all of them").toEqual([]);
    const bundle = join(outdir, `asset.${hash}`);
    for (const { Handler } of drivers) {
      const [file, name] = Handler.split(".");
      expect(load(join(bundle, `${file}.js`))[name], Handler).toBeTypeOf("function");
    }
    expect(hash, "follows lib, which is in the bundle").toBe(FileSystem.fingerprint(bundle));
  }, 120_000);

  it("bundles the drivers alike wherever that is: equal sources are one archive", () => {
    const folders = ["one", join("a", "deeper", "one")].map((name) => join(outside, name));
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true });
      writeDriverBundle(folder);
      expect(readdirSync(folder).toSorted()).toEqual(["driver.js", "driver.js.map"]);
    }
    const [one = "", other = ""] = folders;
    expect(FileSystem.fingerprint(one)).toBe(FileSystem.fingerprint(other));
  }, 120_000);

  it("builds a variant with the variables of its build", () => {
    const environment = { KELVIN_BUILD_PROBE: "1" };
    const build: CargoBuild = {
      binaryName: "dynamodb-rust",
      packageName: "dynamodb",
      features: ["sdk-defaults"],
      profile: "varied",
      environment,
    };
    buildOneFunction({ kind: "cargo", ...build });
    expect(cargo.calls()).toEqual([command(build)]);
    expect(cargo.environment()).toContain("KELVIN_BUILD_PROBE=1");
  });

  it("fails at once without cargo-lambda, and says what to install", () => {
    vi.stubEnv("PATH", "/nowhere");
    expect(() => synthStack(building)).toThrow(/cargo lambda: found none .* `npm run setup`/);
  });

  it("needs no cargo-lambda for a stack without Rust", () => {
    vi.stubEnv("PATH", "/nowhere");
    const notBuilt = { variants: "python", "aws:cdk:bundling-stacks": ["Other"] };
    expect(() => synthStack(notBuilt)).not.toThrow();
  });
});

function buildOneFunction(source: Variant["source"]): void {
  const outdir = temporaryFolder();
  const app = new App({ context: building, outdir, analyticsReporting: false });
  const stack = new Stack(app, "One");
  const runtime = "provided.al2023";
  measuredFunction(stack, {
    cell: {
      id: "varied-arm64-128",
      variant: "varied",
      runtime,
      architecture: "arm64",
      memoryMb: 128,
    },
    variant: { id: "varied", label: "Varied", language: "rust", runtime, source },
    role: new Role(stack, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") }),
    logGroup: new LogGroup(stack, "LogGroup"),
    timeoutSeconds: 30,
    environment: {},
  });
}
