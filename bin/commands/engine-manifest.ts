import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Artefact, Plan } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { dynoxideBinary, engineKinds } from "../../lib/local/engines/engine-kinds.ts";
import type { Installation } from "../../lib/local/engines/engine-session.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import { describeMachine } from "../../lib/local/machine.ts";
import { javaVersion } from "../../lib/toolchain/engines/dynamodb-local.ts";
import { findPython } from "../../lib/toolchain/find-python.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { buildRecord } from "../../lib/toolchain/rust-build.ts";
import { lockedVersion, rustcVersion } from "../../lib/toolchain/rust-versions.ts";
import type { LocalManifest } from "./local-manifest.ts";

/** The manifest of a comparison that is about to begin. */
export function engineManifest(
  plan: Plan,
  installed: ReadonlyMap<string, Installation>,
  prices: PriceTable,
  isIsolated: boolean,
): LocalManifest {
  const transport = isIsolated ? "HTTP on loopback, in a network of its own" : "HTTP on loopback";
  return {
    schemaVersion: 1,
    runId: plan.runId,
    experiment: plan.experiment,
    target: "local",
    status: "running",
    startedAt: plan.createdAt,
    cellFailures: [],
    artefacts: [...installed].flatMap(([id, engine]) => artefactOf(plan, id, engine)),
    versions: versions(),
    // An engine has the whole machine: no share of a CPU, no limit of memory.
    machine: { ...describeMachine(undefined), transport },
    prices: { date: prices.date, region: localRegion },
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
    "DynamoDB Local listens on every address, and this machine let no command have a network of its own: it could be reached from elsewhere while it ran",
  ];
}

function artefactOf(plan: Plan, variant: string, engine: Installation): readonly Artefact[] {
  const architecture = plan.cells[0]?.architecture;
  if ("reason" in engine || architecture === undefined) return [];
  const { version, sizeBytes, downloadBytes } = engine;
  const isDynoxide = variant.startsWith("dynoxide");
  // The release profile of the workspace has an opt-level of its own for it.
  const build = isDynoxide
    ? { ...buildRecord(dynoxideBinary), optLevel: optLevelOf("dynoxide-rs") }
    : { tool: "as published" };
  return [
    {
      variant,
      architecture,
      ...(sizeBytes !== undefined && { sizeBytes }),
      ...(downloadBytes !== undefined && { zipBytes: downloadBytes }),
      build: { version, ...build },
    },
  ];
}

function optLevelOf(crate: string): string {
  const manifest = readFileSync(join(projectPaths.rust, "Cargo.toml"), "utf8");
  const [, packages = ""] = manifest.split("[profile.release.package]\n");
  return new RegExp(`^${crate} = \\{ opt-level = "?(\\w+)"? \\}`, "m").exec(packages)?.[1] ?? "3";
}

function versions(): Record<string, string> {
  const found = {
    rustc: rustcVersion(),
    "dynoxide-rs": lockedVersion("dynoxide-rs"),
    "aws-sdk-dynamodb": lockedVersion("aws-sdk-dynamodb"),
    java: javaVersion(),
    node: process.versions.node,
    python: findPython().version,
  };
  const known = Object.entries(found).filter(([, version]) => version !== undefined);
  return Object.fromEntries(known) as Record<string, string>;
}
