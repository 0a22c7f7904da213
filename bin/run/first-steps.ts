import { availableParallelism } from "node:os";
import { type BuildForecast, noopBinary } from "../../lib/toolchain/build-local.ts";
import { pinnedRust } from "../../lib/toolchain/rust-toolchain.ts";
import { forecastText } from "../progress.ts";
import { missingBuilds, needsRust } from "./measure-run.ts";
import { type LocalOptions, type NewRun, newRun } from "./new-run.ts";

/** The state of this machine before a new run builds anything. */
export interface Beginning {
  /** Whether anything that the run measures or calls is built with Rust. */
  readonly needsRust: boolean;
  /** The builds that remain. */
  readonly missing: BuildForecast;
  readonly hasRust: boolean;
  /** Whether the run has variants in Python. */
  readonly hasPython: boolean;
  /** Whether a person is watching: a terminal, no --json, no CI. */
  readonly isWatched: boolean;
}

export function describeBeginning(
  run: Pick<NewRun, "experiments">,
  { json }: Pick<LocalOptions, "json">,
  hasRust: boolean,
): Beginning {
  const cells = run.experiments.flatMap(({ plan }) => plan.cells);
  return {
    needsRust: needsRust(run),
    missing: missingBuilds(run, { withFloor: true }),
    hasRust,
    hasPython: cells.some(({ runtime }) => runtime.startsWith("python")),
    isWatched: json !== true && process.stdout.isTTY === true && !process.env.CI,
  };
}

/** The first steps of a new run. */
interface FirstSteps {
  /** Message before Python is measured alone; absent if it is not. */
  readonly pythonFirst?: string;
  /** The reason the run itself cannot follow; absent if it can. */
  readonly refusal?: string;
}

/**
 * Decides whether Python is measured alone first: it is if the first result would otherwise take minutes to build, or
 * cannot be built without Rust. Nothing compiles meanwhile.
 */
export function firstSteps(beginning: Beginning): FirstSteps {
  const { missing, hasRust, hasPython, isWatched } = beginning;
  if (!beginning.needsRust) return {};
  const isLong = missing.binaries.some((name) => name !== noopBinary.binaryName);
  const isFirst = hasPython && isWatched && (isLong || !hasRust);
  return {
    ...(isFirst && { pythonFirst: pythonFirstText(beginning) }),
    ...(!hasRust && { refusal: noRustText() }),
  };
}

/**
 * Returns Python's part of `compute`, which calls no service, as a separate run. The two sizes take half a minute;
 * 128 MB alone would take a whole one.
 */
export function pythonRun({ seed }: Pick<LocalOptions, "seed">): NewRun {
  return newRun({
    experiment: "compute",
    preset: "quick",
    variants: ["python"],
    memory: [512, 1769],
    ...(seed !== undefined && { seed }),
  });
}

function pythonFirstText({ missing, hasRust }: Beginning): string {
  const python = "Python alone, in the experiment compute, which calls no service (half a minute)";
  if (!hasRust) return `Rust: found none; measures ${python}`;
  const build = forecastText(missing, availableParallelism());
  return `${build}\nbefore that, while nothing compiles: ${python}`;
}

function noRustText(): string {
  return [
    "Rust: found none. The functions in Rust are built with it, and so are the emulated DynamoDB and S3",
    "that the ones in Python call: none of these was measured. To compare Rust with Python, install",
    `rustup (https://rustup.rs), which fetches the pinned Rust ${pinnedRust()}, and run this`,
    "command again. What runs without Rust: --experiment compute --variants python",
  ].join("\n");
}
