import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { Artefact } from "../contract/types/contract.ts";
import type { Variant } from "../experiment/experiment.ts";
import { localWheels } from "../toolchain/local-wheels.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { buildRecord, rustBinaryPath } from "../toolchain/rust-build.ts";
import { floorCell } from "./measure-floor.ts";

/** What was measured, so that a report can be held against the very files. Sizes in bytes. */
export function localArtefacts(variants: readonly Variant[]): readonly Artefact[] {
  return variants.map((variant) => {
    const files = filesOf(variant);
    const contents = files.map((file) => readFileSync(file));
    const hash = createHash("sha256");
    for (const content of contents) hash.update(content);
    return {
      variant: variant.id,
      architecture: floorCell.architecture,
      sha256: hash.digest("hex"),
      sizeBytes: sum(contents.map((content) => content.length)),
      zipBytes: sum(contents.map((content) => deflateRawSync(content, { level: 9 }).length)),
      build: buildOf(variant),
    };
  });
}

function buildOf(variant: Variant): Readonly<Record<string, string>> {
  const { source } = variant;
  if (source.kind === "cargo") return buildRecord(source);
  const { requirements } = source;
  const dependencies = requirements === undefined ? "the runtime's" : `own wheels, ${requirements}`;
  return { tool: "source files", dependencies };
}

function filesOf(variant: Variant): readonly string[] {
  const { source } = variant;
  if (source.kind === "cargo") return [rustBinaryPath(source)];
  const packages = ["bench_core", source.handler.split(".")[0] ?? ""];
  const own = packages.flatMap((name) =>
    filesBelow(join(projectPaths.python, name)).filter((path) => path.endsWith(".py")),
  );
  const wheels = localWheels(source);
  return wheels === undefined ? own : [...own, ...filesBelow(wheels)];
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
