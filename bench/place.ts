import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../lib/contract/types/contract.ts";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import type { Valgrind } from "../lib/toolchain/valgrind.ts";
import type { CountingPlace } from "./baseline.ts";

/** Where the instructions are counted. */
export function countingPlace({ processor, version }: Valgrind): CountingPlace {
  const { header } = process.report.getReport() as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  const rustc = execFileSync("rustc", ["--version"], { encoding: "utf8" }).split(" ")[1];
  return {
    processor,
    valgrind: version,
    glibc: header.glibcVersionRuntime ?? "none",
    rustc: rustc ?? "unknown",
  };
}

/** Machine and versions in two lines, for whoever reads the figures. */
export function describePlace(
  { cpuModel, cpus, os, cpuQuota }: Machine,
  { rustc, valgrind, glibc }: CountingPlace,
  versions: Readonly<Record<string, string>>,
): string {
  const machine = `${cpuModel}, ${cpus} CPUs, ${os}, cpu quota: ${cpuQuota}`;
  const all = { rustc, valgrind, glibc, ...versions };
  return `${machine}\n${Object.entries(all)
    .map((entry) => entry.join(" "))
    .join(", ")}`;
}

const crates = ["aws-sdk-dynamodb", "aws-lc-rs", "aws-lc-sys", "ring", "rustls", "lambda_runtime"];

/** The one version that the lockfile has of a crate. */
export function lockedVersion(crate: string): string {
  const lock = readFileSync(join(projectPaths.rust, "Cargo.lock"), "utf8");
  return new RegExp(`name = "${crate}"\\nversion = "([^"]+)"`).exec(lock)?.[1] ?? "unknown";
}

/** What the lockfile has of the crates that the counts are mostly made of; of some, two versions. */
export function lockedVersions(): Readonly<Record<string, string>> {
  const lock = readFileSync(join(projectPaths.rust, "Cargo.lock"), "utf8");
  return Object.fromEntries(
    crates.flatMap((name) => {
      const packages = lock.matchAll(new RegExp(`name = "${name}"\\nversion = "([^"]+)"`, "g"));
      const versions = [...packages].map(([, version]) => version);
      return versions.length === 0 ? [] : [[name, versions.join(" and ")]];
    }),
  );
}
