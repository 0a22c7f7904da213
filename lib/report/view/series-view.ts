import { warmOperationsOf } from "../../contract/operations-of.ts";
import type { Cell, Plan, Sample } from "../../contract/types/contract.ts";
import { type Warning, warningsOf } from "../../statistics/warnings.ts";
import type { CollectedSamples } from "../collect/collect-samples.ts";
import type { CollectedSeries } from "../collect/collected-series.ts";
import type { OwnQuantity, Quantity } from "../collect/quantities.ts";
import { type InstructionCount, instructionCount } from "./instruction-count.ts";
import { type Measure, measureOf, type Tail, tailOf } from "./measure.ts";

export type Phase = Sample["phase"];

/** One cell, operation and phase: every quantity's median over environments. */
export interface SeriesView {
  readonly cell: Cell;
  readonly operation: string;
  readonly phase: Phase;
  /** Kept samples. */
  readonly n: number;
  readonly environments: number;
  readonly durationMs: Measure;
  readonly durationP95Ms: Tail;
  readonly durationP99Ms: Tail;
  readonly sdkCallMs: Measure;
  readonly billedDurationMs: Measure;
  readonly maxMemoryUsedMb: Measure;
  readonly clientLatencyMs: Measure;
  /** Cold only. */
  readonly initDurationMs?: Measure;
  readonly initAndDurationMs?: Measure;
  /** The call that Init made to warm the client; cold only, where a variant makes one. */
  readonly warmupMs?: Measure;
  /** CPU time, where the target accounts for it; Init's is of cold alone. */
  readonly initCpuMs?: Measure;
  readonly invocationCpuMs?: Measure;
  /** Of samples that are in none of the figures above. */
  readonly instructions?: InstructionCount;
  /** The experiment's own quantities, by their names without `own.`, where they were measured. */
  readonly own?: Readonly<Record<string, Measure>>;
  /** On the series' Duration. */
  readonly durationWarnings: readonly Warning[];
}

/** Which operations a phase has: none where no sample can be of it. */
export function operationsOf(plan: Plan, phase: Phase): readonly string[] {
  if (phase === "second" && plan.target === "imported") return [];
  if (phase === "cold" && plan.sizes.environments === 0) return [];
  return phase === "warm" ? plan.warmOperations : [plan.coldOperation];
}

export const phases: readonly Phase[] = ["cold", "second", "warm"];

/** Every series of the plan, in the order of phase, operation and cell; empty ones too. */
export function seriesViews(
  plan: Plan,
  samples: CollectedSamples,
  ownQuantities: readonly OwnQuantity[],
): readonly SeriesView[] {
  const phasesRun = plan.sizes.warmEnvironments === 0 ? phases.slice(0, 2) : phases;
  return phasesRun.flatMap((phase) =>
    operationsOf(plan, phase).flatMap((operation) =>
      cellsOf(plan, phase, operation).map((cell) => ({
        ...seriesView(samples, cell, operation, phase),
        ...ownMeasures(samples.series(cell.id, operation, phase), ownQuantities),
      })),
    ),
  );
}

/** The cells that make an operation: of a warm one it may be some variants' alone. */
export function cellsOf(plan: Plan, phase: Phase, operation: string): readonly Cell[] {
  const cells = orderedCells(plan);
  if (phase !== "warm") return cells;
  return cells.filter(({ variant }) => warmOperationsOf(plan, variant).includes(operation));
}

/** By architecture, workers and memory, then as planned: variants of one size stand together. */
export function orderedCells(plan: Plan): readonly Cell[] {
  const byText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  return [...plan.cells].sort(
    (a, b) =>
      byText(a.architecture, b.architecture) ||
      a.memoryMb - b.memoryMb ||
      (a.workers ?? 0) - (b.workers ?? 0),
  );
}

function seriesView(
  samples: CollectedSamples,
  cell: Cell,
  operation: string,
  phase: Phase,
): SeriesView {
  const collected = samples.series(cell.id, operation, phase);
  return {
    cell,
    operation,
    phase,
    n: collected.n,
    environments: collected.environments.length,
    durationMs: measureOf(collected, "durationMs"),
    durationP95Ms: tailOf(collected, "durationMs", "p95"),
    durationP99Ms: tailOf(collected, "durationMs", "p99"),
    sdkCallMs: measureOf(collected, "sdkCallMs"),
    billedDurationMs: measureOf(collected, "billedDurationMs"),
    maxMemoryUsedMb: measureOf(collected, "maxMemoryUsedMb"),
    clientLatencyMs: measureOf(collected, "clientLatencyMs"),
    ...(phase === "cold" && {
      initDurationMs: measureOf(collected, "initDurationMs"),
      initAndDurationMs: measureOf(collected, "initAndDurationMs"),
      ...whereMeasured(collected, ["warmupMs", "initCpuMs"]),
    }),
    ...whereMeasured(collected, ["invocationCpuMs"]),
    ...instructionCount(samples.instrumented(cell.id, operation, phase)),
    durationWarnings: collected.n === 0 ? [] : warningsOf(collected.series("durationMs")),
  };
}

/** The measures of which there is a value: not every target and variant has them. */
function whereMeasured(collected: CollectedSeries, names: readonly Quantity[]) {
  const measures = names.map((name) => [name, measureOf(collected, name)] as const);
  return Object.fromEntries(measures.filter(([, { n }]) => n > 0)) as {
    readonly [Name in Quantity]?: Measure;
  };
}

function ownMeasures(
  collected: CollectedSeries,
  quantities: readonly OwnQuantity[],
): Pick<SeriesView, "own"> {
  const measures = quantities
    .map((quantity) => [quantity.slice("own.".length), measureOf(collected, quantity)] as const)
    .filter(([, { n }]) => n > 0);
  return measures.length === 0 ? {} : { own: Object.fromEntries(measures) };
}
