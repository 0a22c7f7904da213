import type { Artefact, Sample } from "../lib/contract/types/contract.ts";

/** The data for one variant's part of the comparison. */
export interface Evidence {
  readonly samples: readonly Sample[];
  /** Absent for the no-op function, which deploys no archive. */
  readonly artefact?: Artefact;
}

/** A compared quantity: its values, one per environment or call. */
export interface Metric {
  readonly id: string;
  readonly label: string;
  readonly unit: "instructions" | "ms" | "bytes" | "MB";
  readonly values: (evidence: Evidence) => readonly (number | undefined)[];
}

type Phase = Sample["phase"];

/** Metrics in the order of the table. Instructions are callgrind's; times are of a function of 128 MB. */
export const metrics: readonly Metric[] = [
  instructions("initInstructions", "Init, instructions", "cold", ({ init }) => init),
  instructions("firstInstructions", "first request, instructions", "cold", invocation),
  instructions("initAndFirstInstructions", "Init + first, instructions", "cold", (counts) =>
    counts.init === undefined ? undefined : counts.init + counts.invocation,
  ),
  instructions("warmInstructions", "warm request, instructions", "warm", invocation),
  timed("initCpuMs", "Init, CPU", "cold", ({ cpu }) => cpu?.initCpuMs),
  timed("firstCpuMs", "first request, CPU", "cold", ({ cpu }) => cpu?.invocationCpuMs),
  timed("warmCpuMs", "warm request, CPU", "warm", ({ cpu }) => cpu?.invocationCpuMs),
  timed("initMs", "Init, wall", "cold", ({ telemetry }) => telemetry?.initDurationMs),
  timed("firstMs", "first request, wall", "cold", ({ telemetry }) => telemetry?.durationMs),
  timed("warmMs", "warm request, wall", "warm", ({ telemetry }) => telemetry?.durationMs),
  {
    ...timed("peakMb", "peak resident set", "cold", ({ telemetry }) => telemetry?.maxMemoryUsedMb),
    unit: "MB",
  },
  size("binaryBytes", "binary", ({ sizeBytes }) => sizeBytes),
  size("zipBytes", "zip", ({ zipBytes }) => zipBytes),
];

/** Metrics in the baseline: instruction counts are reproducible, times are not. */
export const guardedIds = ["initInstructions", "firstInstructions", "warmInstructions"] as const;

type Counts = NonNullable<Sample["instructions"]>;

function invocation(counts: Counts): number {
  return counts.invocation;
}

function instructions(
  id: string,
  label: string,
  phase: Phase,
  of: (counts: Counts) => number | undefined,
): Metric {
  const values = ({ samples }: Evidence) =>
    samples
      .filter((sample) => sample.phase === phase && sample.rejected?.reason === "instrumented")
      .map((sample) => sample.instructions && of(sample.instructions));
  return { id, label, unit: "instructions", values };
}

function timed(
  id: string,
  label: string,
  phase: Phase,
  of: (sample: Sample) => number | undefined,
): Metric {
  const values = ({ samples }: Evidence) =>
    samples.filter((sample) => sample.phase === phase && sample.rejected === undefined).map(of);
  return { id, label, unit: "ms", values };
}

function size(id: string, label: string, of: (artefact: Artefact) => number | undefined): Metric {
  return { id, label, unit: "bytes", values: ({ artefact }) => [artefact && of(artefact)] };
}
