import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { synthStack } from "../support/synth.ts";

const building = { "aws:cdk:bundling-stacks": ["**"] };
const pathBefore = process.env.PATH;

/** Stands in for cargo: says that cargo-lambda is there, writes a bootstrap, and keeps what it was asked. */
const cargo = `#!/bin/sh
[ "$2" = "--version" ] && exit 0
echo "$@" >> "$(dirname "$0")/calls"
while [ "$1" != "--lambda-dir" ]; do shift; done
echo "$@" > "$2/bootstrap"
`;

let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kelvin-cargo-"));
});

afterEach(() => {
  process.env.PATH = pathBefore;
  rmSync(directory, { recursive: true });
});

describe("building the stack", () => {
  it("builds each Rust variant once for all of its cells, by the profile of Cargo.toml alone", () => {
    writeFileSync(join(directory, "cargo"), cargo);
    chmodSync(join(directory, "cargo"), 0o755);
    process.env.PATH = [directory, pathBefore].join(delimiter);
    const stack = synthStack(building);
    const calls = readFileSync(join(directory, "calls"), "utf8").trim().split("\n");
    const arguments_ = calls.map((call) => call.replace(/--lambda-dir \S+ /, ""));
    const package_ = (name: string) => `--arm64 --bin ${name} --flatten ${name} --package ${name}`;
    const alone = "--locked --disable-optimizations";
    expect(arguments_).toEqual([
      `lambda build --release ${package_("dynamodb-rust")} ${alone}`,
      `lambda build --profile tuned ${package_("dynamodb-rust-tuned")} ${alone}`,
    ]);

    const template = Template.fromStack(stack);
    const measured = Object.values(template.findResources("AWS::Lambda::Function"))
      .map((found) => found.Properties)
      .filter((properties) => /^(provided|python)/.test(properties.Runtime));
    expect(new Set(measured.map((properties) => properties.Code.S3Key)).size).toBe(3);

    const outdir = (stack.node.root as unknown as { readonly outdir: string }).outdir;
    const python = measured.find((properties) => properties.Runtime.startsWith("python"));
    const pythonAsset = join(outdir, `asset.${python?.Code.S3Key.replace(/\.zip$/, "")}`);
    expect(readdirSync(pythonAsset).sort()).toEqual(["bench_core", "dynamodb"]);
    const files = readdirSync(pythonAsset, { recursive: true }).map(String);
    expect(files.filter((file) => !/(^[a-z_]+|\.py)$/.test(file))).toEqual([]);

    const assets = Object.entries(template.findResources("AWS::Lambda::Function"))
      .filter(([, found]) => found.Properties.Runtime === "nodejs22.x")
      .map(([, found]) => found.Properties.Code.S3Key.replace(/\.zip$/, ""));
    expect(assets).toHaveLength(6);
    const load = createRequire(import.meta.url);
    for (const asset of assets) {
      const bundle = join(outdir, `asset.${asset}`, "index.js");
      expect(existsSync(bundle)).toBe(true);
      expect(load(bundle).handler).toBeTypeOf("function");
    }
  }, 120_000);

  it("fails at once without cargo-lambda, and says what to install", () => {
    process.env.PATH = directory;
    expect(() => synthStack(building)).toThrow(/cargo lambda: found none .* `npm run setup`/);
  });

  it("needs no cargo-lambda for a stack without Rust", () => {
    process.env.PATH = directory;
    const notBuilt = { variants: "python", "aws:cdk:bundling-stacks": ["Other"] };
    expect(() => synthStack(notBuilt)).not.toThrow();
  });
});
