import { variantPairs } from "../../analysis/cell-pairs.ts";
import type { CollectedSeries, MetricName } from "../../analysis/collected-series.ts";
import type { PublishedSeries, PublishedSource } from "../../analysis/published.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../analysis/series-ratio.ts";
import {
  comparedCells,
  type Measure,
  makeMeasure,
  type Phase,
} from "../../analysis/series-view.ts";
import type { SummaryInputs } from "../../analysis/summary.ts";
import published from "../../contract/published.json" with { type: "json" };
import type { Cell } from "../../contract/types/contract.ts";
import type { Series } from "../../statistics/series.ts";
import { type ColdCosts, coldCosts } from "./cold-costs.ts";

/** Id of the variant whose phases are measured. */
export const breakdown = "breakdown";
/** Id of the variant with the baseline's crypto library, but without its one-time gathering of entropy. */
export const noJitter = "no-jitter";
/** Id of the variant with another crypto library. */
export const ring = "ring";

const { source, conditions, phasesMs, warming } = published.firstRequest;

/** Phases of the published runs, and their published means, ms. */
export const publishedPhases = phasesMs;

/** Published reduction of the bill by the warm-up: 0.82 is 82% less. */
export const publishedBilledReduction = warming.billedReductionPercent / 100;

export const publishedFirstRequest: PublishedSource = {
  source,
  conditions,
  baselineVariant: "unwarmed",
  seriesOf: findPublishedSeries,
};

function findPublishedSeries(
  { variant }: Cell,
  operation: string,
  phase: Phase,
): PublishedSeries | undefined {
  if (operation !== "get" || phase !== "cold") return undefined;
  switch (variant) {
    case "breakdown":
      return {
        initDurationMs: phasesMs.initDurationMean,
        durationMs: phasesMs.lambdaDurationMean,
        sdkCallMs: phasesMs.sdkFirstCallMean,
      };
    case "unwarmed":
      return coldSeries(warming.without);
    case "warmed":
      return { ...coldSeries(warming.with), warmupMs: warming.with.warmupCallMs };
    default:
      return undefined;
  }
}

function coldSeries({
  initDurationMs,
  firstDurationMs,
  billedDurationMs,
}: typeof warming.without): PublishedSeries {
  return { initDurationMs, durationMs: firstDurationMs, billedDurationMs };
}

/** Figures that only this experiment's report has: `own` in summary.json. Times are in ms. */
export interface FirstRequestFigures extends ColdCosts {
  readonly phases: readonly PhaseFigures[];
  readonly phaseRuns: readonly PhaseRun[];
  readonly handshakes: readonly Handshake[];
}

/** One phase of the breakdown's cold starts in one cell. */
export interface PhaseFigures {
  readonly cell: Cell;
  readonly phase: string;
  readonly measure: Measure;
}

/** One cold start of the breakdown, with its phases by key. */
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
  /** The first handshake of the process's second invocation. */
  readonly laterMs: Measure;
  /** First minus second, per environment. */
  readonly oneTimeMs: Measure;
  /** Ratio of the first to the second of the same process. */
  readonly firstToSecond: Compared;
  /**
   * Ratio of the first to the baseline's whole first Duration: the breakdown's own Duration includes more connections
   * than a request needs. Absent without the baseline at that size.
   */
  readonly firstToRequest?: Compared;
}

export function firstRequestFigures(inputs: SummaryInputs): FirstRequestFigures {
  const { plan, samples } = inputs;
  const cells = comparedCells(plan);
  const broken = cells.filter((cell) => cell.variant === breakdown);
  const coldOf = (cell: Cell) => samples.series(cell.id, plan.coldOperation, "cold");
  return {
    phases: broken.flatMap((cell) =>
      breakdownPhases.map(({ key, quantity }) => ({
        cell,
        phase: key,
        measure: makeMeasure(coldOf(cell), quantity),
      })),
    ),
    phaseRuns: broken.flatMap((cell) => phaseRuns(cell, coldOf(cell))),
    handshakes: broken.map((cell) => handshake(inputs, cell, findBaseline(inputs, cell))),
    ...coldCosts(inputs, cells),
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
    return { cell, block, ...(attempt > 0 && { attempt }), phasesMs: Object.fromEntries(phasesMs) };
  });
}

function findBaseline({ plan, subject }: SummaryInputs, cell: Cell): Cell | undefined {
  const pairs = variantPairs(plan, subject.baselineVariant);
  return pairs.find((pair) => pair.cell.id === cell.id)?.baselineCell;
}

function handshake(
  { plan, samples }: SummaryInputs,
  cell: Cell,
  baseline: Cell | undefined,
): Handshake {
  const cold = samples.series(cell.id, plan.coldOperation, "cold");
  const later = samples.series(cell.id, plan.coldOperation, "second");
  const first = cold.series("own.firstTlsMs");
  const toOther = (other: Series) => withVerdict(ratioOfSeries(first, other, plan));
  const request =
    baseline && samples.series(baseline.id, plan.coldOperation, "cold").series("durationMs");
  return {
    cell,
    firstMs: makeMeasure(cold, "own.firstTlsMs"),
    secondMs: makeMeasure(cold, "own.secondTlsMs"),
    laterMs: makeMeasure(later, "own.firstTlsMs"),
    oneTimeMs: makeMeasure(cold, "own.oneTimeTlsMs"),
    firstToSecond: toOther(cold.series("own.secondTlsMs")),
    ...(request !== undefined && { firstToRequest: toOther(request) }),
  };
}

/** A phase of the breakdown's cold start. */
export interface BreakdownPhase {
  readonly key: string;
  readonly label: string;
  readonly quantity: MetricName;
  readonly publishedMeanMs?: number;
  readonly publishedRunsMs?: readonly number[];
}

const phaseTimes = publishedPhases;

export const breakdownPhases: readonly BreakdownPhase[] = [
  {
    key: "init",
    label: "Init",
    quantity: "initDurationMs",
    publishedMeanMs: phaseTimes.initDurationMean,
    publishedRunsMs: phaseTimes.initDuration,
  },
  {
    key: "firstDns",
    label: "DNS, first connection",
    quantity: "own.firstDnsMs",
    publishedMeanMs: phaseTimes.dnsMean,
    publishedRunsMs: phaseTimes.dns,
  },
  {
    key: "firstTcp",
    label: "TCP, first connection",
    quantity: "own.firstTcpMs",
    publishedMeanMs: phaseTimes.tcpMean,
    publishedRunsMs: phaseTimes.tcp,
  },
  {
    key: "firstTls",
    label: "TLS, first connection",
    quantity: "own.firstTlsMs",
    publishedMeanMs: phaseTimes.tlsMean,
    publishedRunsMs: phaseTimes.tls,
  },
  {
    key: "firstConnection",
    label: "First connection in all",
    quantity: "own.firstConnectionMs",
    publishedMeanMs: phaseTimes.manualTotalMean,
    publishedRunsMs: phaseTimes.manualTotal,
  },
  { key: "secondDns", label: "DNS, second connection", quantity: "own.secondDnsMs" },
  { key: "secondTcp", label: "TCP, second connection", quantity: "own.secondTcpMs" },
  { key: "secondTls", label: "TLS, second connection", quantity: "own.secondTlsMs" },
  {
    key: "secondConnection",
    label: "Second connection in all",
    quantity: "own.secondConnectionMs",
  },
  {
    key: "sdkCall",
    label: "First SDK call",
    quantity: "sdkCallMs",
    publishedMeanMs: phaseTimes.sdkFirstCallMean,
    publishedRunsMs: phaseTimes.sdkFirstCall,
  },
  {
    key: "duration",
    label: "First Duration",
    quantity: "durationMs",
    publishedMeanMs: phaseTimes.lambdaDurationMean,
    publishedRunsMs: phaseTimes.lambdaDuration,
  },
];
