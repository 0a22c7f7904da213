import { memoryMbPerVcpu } from "../contract/cpu-credit.ts";
import type { Cell, Manifest, Plan } from "../contract/types/contract.ts";
import { functionsExperimentId } from "../plan/functions-subject.ts";
import { findService } from "../plan/trial-calls.ts";
import type { MeasuredCall } from "../prediction/expectation.ts";
import { type FunctionKind, familyOf, type Work } from "../prediction/function-kind.ts";
import { speedOf } from "../prediction/machine-speed.ts";
import type { BuildRecord } from "./collect-samples.ts";
import type { Measure, SeriesView } from "./series-view.ts";

/** Facts about a local run that describe its calls. */
export interface LocalFigures {
  readonly plan: Plan;
  readonly manifest: Pick<Manifest, "machine" | "artefacts" | "speed">;
  readonly builds: readonly BuildRecord[];
}

/** Returns false below one CPU on a machine that does not limit CPU: times, and what follows from them, are those of a whole CPU. */
export function isLimited(
  { machine }: Partial<Pick<Manifest, "machine">>,
  { memoryMb }: Pick<Cell, "memoryMb">,
): boolean {
  return machine?.cpuQuota !== "unthrottled" || memoryMb >= memoryMbPerVcpu;
}

/** Figures of a series that its prediction for Lambda is computed from. */
type MeasuredSeries = Pick<
  SeriesView,
  "cell" | "phase" | "durationMs" | "initDurationMs" | "warmupMs"
>;

/** measuredCall returns a call as the model's input; undefined without published figures of its kind, or a speed. */
export function measuredCall(
  { plan, manifest, builds }: LocalFigures,
  { cell, phase, durationMs, initDurationMs, warmupMs }: MeasuredSeries,
): MeasuredCall | undefined {
  const kinds = kindsOf(plan, cell, builds);
  if (phase === "second" || kinds.length === 0 || durationMs.mean === undefined) return undefined;
  const speed = speedOf(manifest);
  if (speed === undefined) return undefined;
  const { delayMs = 0, connectMs = 0 } = plan.network ?? {};
  const bytes = manifest.artefacts.find(({ variant }) => variant === cell.variant)?.sizeBytes;
  return {
    kinds,
    memoryMb: cell.memoryMb,
    call: phase === "cold" ? "first" : "warm",
    durationMs: durationMs.mean,
    networkMs: delayMs + connectMs,
    answerMs: delayMs,
    speed,
    ...(initDurationMs?.mean !== undefined && { initMs: initDurationMs.mean }),
    ...(warmupMs?.mean !== undefined && { warmupMs: warmupMs.mean }),
    ...(bytes !== undefined && { artefactMb: bytes / 1_000_000 }),
  };
}

/** Returns the kinds that a function may be of; none for a runtime without published figures. */
function kindsOf(
  plan: Plan,
  { runtime, variant }: Cell,
  builds: readonly BuildRecord[],
): readonly FunctionKind[] {
  const family = familyOf(runtime);
  if (family === undefined) return [];
  const isOwn = plan.experiment === functionsExperimentId;
  const works: readonly Work[] = isOwn ? ["service", "fan-out", "compute"] : [workOf(plan)];
  const entropy = builds.find((build) => build.variant === variant)?.entropy;
  const isUnknown = isOwn && family === "native" && entropy === undefined;
  const jitters = isUnknown ? [false, true] : [entropy === "cpu-jitter"];
  return works.flatMap((work) => jitters.map((gathersJitter) => ({ family, work, gathersJitter })));
}

function workOf(plan: Plan): Work {
  const service = findService(plan);
  if (service === undefined) return "compute";
  return service === "S3" ? "fan-out" : "service";
}

/** Bounds of a 95% confidence interval lie this many standard deviations from its middle. */
const deviationsOf95Percent = 1.96;

/**
 * spreadOf returns the standard deviation of a mean's or ratio's logarithm; undefined without an interval. No
 * prediction is made without it.
 */
export function spreadOf({ low, high }: Pick<Measure, "low" | "high">): number | undefined {
  if (low === undefined || high === undefined || low <= 0) return undefined;
  return Math.log(high / low) / (2 * deviationsOf95Percent);
}
