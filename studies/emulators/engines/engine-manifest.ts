import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../../lib/contract/defined.ts";
import type { Artefact, Manifest, Plan } from "../../../lib/contract/types/contract.ts";
import { localRegion } from "../../../lib/local/local-functions.ts";
import { describeMachine } from "../../../lib/local/machine.ts";
import { manifestHead } from "../../../lib/sampler/result-store.ts";
import { dynoxideBinary } from "../../../lib/toolchain/build-local.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { findPython } from "../../../lib/toolchain/python.ts";
import { buildRecord } from "../../../lib/toolchain/rust-build.ts";
import { lockedVersion, rustcVersion } from "../../../lib/toolchain/rust-toolchain.ts";
import { engineKinds } from "./engine-kinds.ts";
import { javaVersion } from "./install-engines.ts";
import type { Installation } from "./prepare-engines.ts";

/** Returns the manifest of a comparison that is about to start. */
export function engineManifest(
  plan: Plan,
  installed: ReadonlyMap<string, Installation>,
  priceDate: string,
  isIsolated: boolean,
): Omit<Manifest, "counts"> {
  const transport = isIsolated
    ? "HTTP on loopback, in its own network namespace"
    : "HTTP on loopback";
  return {
    ...manifestHead(plan, "running"),
    cellFailures: [],
    artefacts: [...installed].flatMap(([id, engine]) => describeArtefact(plan, id, engine)),
    versions: versions(),
    // An engine has no limit on CPU or memory.
    machine: { ...describeMachine(undefined), transport },
    prices: { date: priceDate, region: localRegion },
    warnings: [...plan.warnings, ...openWarnings(installed, isIsolated)],
  };
}

function openWarnings(
  installed: ReadonlyMap<string, Installation>,
  isIsolated: boolean,
): readonly string[] {
  const isOpen = [...installed.keys()].some((id) => engineKinds[id]?.isOpen === true);
  if (isIsolated || !isOpen) return [];
  return [
    "DynamoDB Local listens on every address, and this machine allows no separate network namespace: other hosts could reach it while it ran",
  ];
}

function describeArtefact(plan: Plan, variant: string, engine: Installation): readonly Artefact[] {
  const architecture = plan.cells[0]?.architecture;
  if ("reason" in engine || architecture === undefined) return [];
  const { version, sizeBytes, downloadBytes } = engine;
  const isDynoxide = variant.startsWith("dynoxide");
  // The release profile sets a separate opt-level for dynoxide.
  const build = isDynoxide
    ? { ...buildRecord(dynoxideBinary), optLevel: readOptLevel("dynoxide-rs") }
    : { tool: "as published" };
  return [
    {
      variant,
      architecture,
      ...defined({ sizeBytes, zipBytes: downloadBytes }),
      build: { version, ...build },
    },
  ];
}

function readOptLevel(crate: string): string {
  const manifest = readFileSync(join(projectPaths.rust, "Cargo.toml"), "utf8");
  const [, packages = ""] = manifest.split("[profile.release.package]\n");
  return new RegExp(`^${crate} = \\{ opt-level = "?(\\w+)"? \\}`, "m").exec(packages)?.[1] ?? "3";
}

function versions(): Record<string, string> {
  return defined({
    rustc: rustcVersion(),
    "dynoxide-rs": lockedVersion("dynoxide-rs"),
    "aws-sdk-dynamodb": lockedVersion("aws-sdk-dynamodb"),
    java: javaVersion(),
    node: process.versions.node,
    python: findPython().version,
  }) as Record<string, string>;
}
