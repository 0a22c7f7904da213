import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { javaVersion, missingForDynamodbLocal } from "../../lib/engines/install-engines.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { kernelSetting, leftSliceMs } from "../../lib/local/bandwidth-slice.ts";
import { findCgroupRoot } from "../../lib/local/cgroup.ts";
import { describeCpuShare, howToThrottle } from "../../lib/local/machine.ts";
import { forecastBuild, localBuilds } from "../../lib/toolchain/build-local.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { findPython } from "../../lib/toolchain/python.ts";
import { installedRust, pinnedRust } from "../../lib/toolchain/rust-toolchain.ts";
import { findValgrind, howToHaveValgrind } from "../../lib/toolchain/valgrind.ts";
import { forecastText } from "../progress.ts";

/** Something that Kelvin uses, and whether this machine has it. */
export interface Examined {
  readonly name: string;
  /** Description with its version; absent if it is missing. */
  readonly found?: string;
  readonly neededFor: string;
  /** Whether a complete run needs it. */
  readonly isRequired: boolean;
  /** Instructions to install it; absent if nothing needs to be done. */
  readonly remedy?: string;
}

/** Returns what local runs, deploys and comparisons of engines use, as far as this machine has it. */
export function examineMachine(): readonly Examined[] {
  return [
    { name: "Node", found: process.versions.node, neededFor: "Kelvin itself", isRequired: true },
    python(),
    rust(),
    builds(),
    cpuShare(),
    cargoLambda(),
    valgrind(),
    dynamodbLocal(),
  ];
}

function python(): Examined {
  const needed = { name: "Python", neededFor: "the Python functions", isRequired: true };
  try {
    const { command, version } = findPython();
    return { ...needed, found: `${version} (${command})` };
  } catch (error) {
    return { ...needed, remedy: (error as Error).message };
  }
}

function rust(): Examined {
  const pinned = pinnedRust();
  const needed = {
    name: "Rust",
    neededFor: "the Rust functions, and the emulated DynamoDB and S3",
    isRequired: true,
  };
  const found = installedRust();
  if (found === pinned) return { ...needed, found: `${found}, as pinned` };
  const remedy = `install rustup (https://rustup.rs), which fetches the pinned ${pinned}`;
  return { ...needed, remedy, ...(found !== undefined && { found }) };
}

function builds(): Examined {
  const needed = {
    name: "Builds",
    neededFor: "npm run bench, which makes them",
    isRequired: false,
  };
  const cores = availableParallelism();
  const { variants } = experimentById("dynamodb");
  const missing = forecastBuild(localBuilds(variants, { services: ["dynamodb"] }), { cores });
  const remedy = forecastText(missing, cores);
  if (remedy === undefined) return { ...needed, found: "all that npm run bench measures" };
  return { ...needed, remedy };
}

function cpuShare(): Examined {
  const root = findCgroupRoot();
  const needed = {
    name: "CPU share",
    neededFor: "memory sizes that differ in CPU",
    isRequired: false,
  };
  if (root === undefined) return { ...needed, remedy: howToThrottle() };
  const found = describeCpuShare(root).replace(/^cpu: /, "");
  const leftMs = leftSliceMs();
  return { ...needed, found, ...(leftMs !== undefined && { remedy: restoreSlice(leftMs) }) };
}

/** Returns the remedy for a bandwidth slice that a killed run left lowered. */
function restoreSlice(beforeMs: number): string {
  return `The kernel's CFS bandwidth slice is lowered, and no run holds it so: as root, echo ${beforeMs * 1000} > ${kernelSetting}`;
}

function cargoLambda(): Examined {
  const needed = { name: "cargo-lambda", neededFor: "deploying to AWS", isRequired: false };
  if (existsSync(join(projectPaths.venvBin, "cargo-lambda")))
    return { ...needed, found: "in .venv" };
  return { ...needed, remedy: "npm run setup, which installs it with zig into .venv" };
}

function valgrind(): Examined {
  const found = findValgrind()?.version;
  const needed = { name: "valgrind", neededFor: "kelvin local --instructions", isRequired: false };
  return found === undefined ? { ...needed, remedy: howToHaveValgrind } : { ...needed, found };
}

function dynamodbLocal(): Examined {
  const missing = missingForDynamodbLocal();
  const needed = {
    name: "Java, Maven",
    neededFor: "DynamoDB Local in kelvin local --experiment emulators",
    isRequired: false,
  };
  if (missing !== undefined) return { ...needed, remedy: missing };
  return { ...needed, found: `Java ${javaVersion()}` };
}
