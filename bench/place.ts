import type { Machine } from "../lib/contract/types/contract.ts";
import { lockedVersions, rustcVersion } from "../lib/toolchain/rust-toolchain.ts";
import type { Valgrind } from "../lib/toolchain/valgrind.ts";
import type { CountingPlace } from "./baseline.ts";

/** Returns the place in which instructions are counted. */
export function countingPlace({ processor, version }: Valgrind): CountingPlace {
  const { header } = process.report.getReport() as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  return {
    processor,
    valgrind: version,
    glibc: header.glibcVersionRuntime ?? "none",
    rustc: rustcVersion() ?? "unknown",
  };
}

/** Describes the machine and the versions in two lines. */
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

/** Returns the locked versions of the crates that account for most of the counts; some have two. */
export function countedVersions(): Readonly<Record<string, string>> {
  const found = crates.map((crate) => [crate, lockedVersions(crate).join(" and ")] as const);
  return Object.fromEntries(found.filter(([, versions]) => versions !== ""));
}
