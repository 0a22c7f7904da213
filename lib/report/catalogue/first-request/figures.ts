import type { Cell } from "../../../contract/types/contract.ts";
import { mean } from "../../../statistics/mean.ts";
import type { Series } from "../../../statistics/series.ts";
import type { CollectedSeries } from "../../collect/collected-series.ts";
import { variantPairs } from "../../view/cell-pairs.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../view/compared.ts";
import { type Measure, measureOf } from "../../view/measure.ts";
import type { ViewInputs } from "../../view/report-view.ts";
import { orderedCells } from "../../view/series-view.ts";
import { type ColdCosts, coldCosts } from "./cold-costs.ts";
import { type BreakdownPhase, breakdownPhases } from "./phases.ts";
import { breakdown } from "./variants.ts";

/** What this experiment's report has of its own: `own` in summary.json. Times in ms. */
export interface FirstRequestFigures extends ColdCosts {
  readonly phases: readonly PhaseFigures[];
  readonly phaseRuns: readonly PhaseRun[];
  readonly handshakes: readonly Handshake[];
}

/** One phase of the breakdown's cold starts of one cell. */
export interface PhaseFigures {
  readonly cell: Cell;
  readonly phase: string;
  readonly measure: Measure;
  /** As the source gives it; the median is what is compared. */
  readonly meanMs?: number;
}

/** One cold start of the breakdown, by the keys of its phases. */
export interface PhaseRun {
  readonly cell: Cell;
  readonly block: number;
  readonly attempt?: number;
  readonly phasesMs: Readonly<Record<string, number>>;
}

/** The TLS handshakes of the breakdown in one cell. */
export interface Handshake {
  readonly cell: Cell;
  readonly firstMs: Measure;
  readonly secondMs: Measure;
  /** The first one of the process's second invocation. */
  readonly laterMs: Measure;
  /** First less second, environment by environment. */
  readonly oneTimeMs: Measure;
  /** The first over the second of the same process. */
  readonly firstToSecond: Compared;
  /**
   * The first over the baseline's whole first Duration: the breakdown's own holds more connections
   * than a request needs. Absent without the baseline at that size.
   */
  readonly firstToRequest?: Compared;
}

export function firstRequestFigures(inputs: ViewInputs): FirstRequestFigures {
  const { plan, samples } = inputs;
  const cells = orderedCells(plan).filter((cell) => cell.twinOf === undefined);
  const broken = cells.filter((cell) => cell.variant === breakdown);
  const coldOf = (cell: Cell) => samples.series(cell.id, plan.coldOperation, "cold");
  return {
    phases: broken.flatMap((cell) =>
      breakdownPhases.map((phase) => phaseFigures(cell, coldOf(cell), phase)),
    ),
    phaseRuns: broken.flatMap((cell) => phaseRuns(cell, coldOf(cell))),
    handshakes: broken.map((cell) => handshake(inputs, cell, baselineOf(inputs, cell))),
    ...coldCosts(inputs, cells),
  };
}

function phaseFigures(cell: Cell, cold: CollectedSeries, phase: BreakdownPhase): PhaseFigures {
  const meanMs = mean(cold.values(phase.quantity));
  return {
    cell,
    phase: phase.key,
    measure: measureOf(cold, phase.quantity),
    ...(meanMs !== undefined && { meanMs }),
  };
}

function phaseRuns(cell: Cell, cold: CollectedSeries): readonly PhaseRun[] {
  const environments = [...cold.environments].sort(
    (a, b) => a.block - b.block || a.attempt - b.attempt,
  );
  return environments.map((environment) => {
    const { block, attempt } = environment;
    const phasesMs = breakdownPhases.flatMap(({ key, quantity }) => {
      const value = cold.firstIn(environment, quantity);
      return value === undefined ? [] : [[key, value] as const];
    });
    return {
      cell,
      block,
      ...(attempt > 0 && { attempt }),
      phasesMs: Object.fromEntries(phasesMs),
    };
  });
}

function baselineOf({ plan, subject }: ViewInputs, cell: Cell): Cell | undefined {
  const pairs = variantPairs(plan, subject.baselineVariant);
  return pairs.find((pair) => pair.cell.id === cell.id)?.baselineCell;
}

function handshake(
  { plan, samples }: ViewInputs,
  cell: Cell,
  baseline: Cell | undefined,
): Handshake {
  const cold = samples.series(cell.id, plan.coldOperation, "cold");
  const later = samples.series(cell.id, plan.coldOperation, "second");
  const first = cold.series("own.firstTlsMs");
  const toOther = (other: Series) => withVerdict(ratioOfSeries(first, other, plan.seed));
  const request =
    baseline && samples.series(baseline.id, plan.coldOperation, "cold").series("durationMs");
  return {
    cell,
    firstMs: measureOf(cold, "own.firstTlsMs"),
    secondMs: measureOf(cold, "own.secondTlsMs"),
    laterMs: measureOf(later, "own.firstTlsMs"),
    oneTimeMs: measureOf(cold, "own.oneTimeTlsMs"),
    firstToSecond: toOther(cold.series("own.secondTlsMs")),
    ...(request !== undefined && { firstToRequest: toOther(request) }),
  };
}
