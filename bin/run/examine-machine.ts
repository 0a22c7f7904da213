import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defined } from "../../lib/contract/defined.ts";
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
import { studies } from "./studies.ts";

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
  const rustUse = "the Rust functions, and the emulated DynamoDB and S3";
  const [required, optional] = [{ isRequired: true }, { isRequired: false }];
  return [
    { name: "Node", found: process.versions.node, neededFor: "Kelvin itself", ...required },
    { name: "Python", neededFor: "the Python functions", ...required, ...python() },
    { name: "Rust", neededFor: rustUse, ...required, ...rust() },
    { name: "Builds", neededFor: "npm run bench, which makes them", ...optional, ...builds() },
    { name: "CPU share", neededFor: "memory sizes that differ in CPU", ...optional, ...cpuShare() },
    { name: "cargo-lambda", neededFor: "deploying to AWS", ...optional, ...cargoLambda() },
    { name: "valgrind", neededFor: "kelvin local --instructions", ...optional, ...valgrind() },
    ...studies.map(({ prerequisite: { find, ...named } }) => ({
      ...named,
      ...optional,
      ...find(),
    })),
  ];
}

type Finding = Pick<Examined, "found" | "remedy">;

function python(): Finding {
  try {
    const { command, version } = findPython();
    return { found: `${version} (${command})` };
  } catch (error) {
    return { remedy: (error as Error).message };
  }
}

function rust(): Finding {
  const pinned = pinnedRust();
  const found = installedRust();
  if (found === pinned) return { found: `${found}, as pinned` };
  const remedy = `install rustup (https://rustup.rs), which fetches the pinned ${pinned}`;
  return { remedy, ...defined({ found }) };
}

function builds(): Finding {
  const cores = availableParallelism();
  const { variants } = experimentById("dynamodb");
  const missing = forecastBuild(localBuilds(variants, { services: ["dynamodb"] }), { cores });
  const remedy = forecastText(missing, cores);
  return remedy === undefined ? { found: "all that npm run bench measures" } : { remedy };
}

function cpuShare(): Finding {
  const root = findCgroupRoot();
  if (root === undefined) return { remedy: howToThrottle() };
  const found = describeCpuShare(root).replace(/^cpu: /, "");
  const leftMs = leftSliceMs();
  return { found, ...(leftMs !== undefined && { remedy: restoreSlice(leftMs) }) };
}

/** Returns the remedy for a bandwidth slice that a killed run left lowered. */
function restoreSlice(beforeMs: number): string {
  return `The kernel's CFS bandwidth slice is lowered, and no run holds it so: as root, echo ${beforeMs * 1000} > ${kernelSetting}`;
}

function cargoLambda(): Finding {
  return existsSync(join(projectPaths.venvBin, "cargo-lambda"))
    ? { found: "in .venv" }
    : { remedy: "npm run setup, which installs it with zig into .venv" };
}

function valgrind(): Finding {
  const found = findValgrind()?.version;
  return found === undefined ? { remedy: howToHaveValgrind } : { found };
}
