import type { ReportSubject } from "../../lib/analysis/report-subject.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import {
  type Measure,
  measureOfSeries,
  type Tail,
  tailOfSeries,
} from "../../lib/analysis/series-view.ts";
import { plannedByCell } from "../../lib/analysis/sound-trials.ts";
import { defined } from "../../lib/contract/defined.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import type { ReportInputs } from "../../lib/report/experiment-report.ts";
import { mean } from "../../lib/statistics/order-statistics.ts";
import { environmentMedians, type Series } from "../../lib/statistics/series.ts";
import {
  type CollectedEngines,
  type CollectedOperation,
  coldBaseline,
  collectEngines,
  enginesInFiles,
  warmBaseline,
} from "./collect.ts";
import { emulators } from "./definition.ts";
import type { Behaviour, MicroBenchmarks } from "./types/contract.ts";

/** Figures of one operation of an engine over its rounds: medians of the rounds' medians, percentiles of all requests. */
export interface OperationFigures {
  readonly operation: string;
  readonly requests: Measure;
  readonly p95Ms: Tail;
  readonly p99Ms: Tail;
  readonly total: Measure;
  readonly memoryKb: Measure;
  readonly diskBytes: Measure;
  /** Present if the engine answered wrongly: such rounds are in no figure. */
  readonly wrong?: CollectedOperation["wrong"];
  /**
   * The baseline's time divided by this engine's, per request: 2 is twice as fast. Absent for the baseline and for
   * engines with tables in files.
   */
  readonly timesAsQuick?: Compared;
  /** The same ratio for the whole operation. */
  readonly totalTimesAsQuick?: Compared;
}

interface StartupFigures {
  readonly startup: Measure;
  readonly meanMs?: number;
  readonly sdMs?: number;
  readonly timesAsQuick?: Compared;
}

export interface EngineFigures {
  readonly id: string;
  readonly start: StartupFigures;
  readonly operations: readonly OperationFigures[];
  readonly fidelity: readonly Behaviour[];
  /** Why the engine was not measured, or not completely: the first failure of a round, and the number of failures. */
  readonly failure?: {
    readonly type: string;
    readonly message: string;
    readonly rounds: number;
  };
}

/** Computes every engine's figures against one baseline. */
function engineFigures(
  plan: Plan,
  manifest: Pick<Manifest, "cellFailures">,
  collected: CollectedEngines,
  baseline: string,
): readonly EngineFigures[] {
  const names = [plan.coldOperation, ...plan.warmOperations];
  return plan.cells.map(({ id }) => {
    const engine = collected.engine(id);
    const isCompared = id !== baseline && !enginesInFiles.includes(id);
    const base = isCompared ? collected.engine(baseline) : undefined;
    const failures = manifest.cellFailures.filter(({ cellId }) => cellId === id);
    const [first] = failures;
    const against = (below: Series, above: Series | undefined) =>
      above === undefined ? undefined : timesAsQuick(above, below, plan);
    const operations = names.flatMap((name): OperationFigures[] => {
      const operation = engine.operation(name);
      if (operation.requests.units.length === 0 && operation.wrong === undefined) return [];
      const ofBase = base?.operation(name);
      const compared = against(operation.requests, ofBase?.requests);
      const totalCompared = against(operation.totals, ofBase?.totals);
      return [
        {
          ...operationFigures(name, operation),
          ...defined({ timesAsQuick: compared, totalTimesAsQuick: totalCompared }),
        },
      ];
    });
    return {
      id,
      start: startFigures(engine.startups, against(engine.startups, base?.startups)),
      operations,
      fidelity: engine.fidelity,
      ...(first !== undefined && {
        failure: { type: first.type, message: first.message, rounds: failures.length },
      }),
    };
  });
}

/**
 * Returns the baseline's time over the engine's: the ratio of the means over rounds, each by its median request, as
 * the published source states it. The verdict is about speed, so it is inverted.
 */
function timesAsQuick(baseline: Series, engine: Series, plan: Plan): Compared {
  const pair = ratioOfSeries(mediansOfRounds(baseline), mediansOfRounds(engine), plan);
  const { verdict, ...compared } = withVerdict(pair);
  const turned = { faster: "slower", slower: "faster" } as const;
  return { ...compared, verdict: turned[verdict as keyof typeof turned] ?? verdict };
}

function mediansOfRounds(series: Series): Series {
  const units = environmentMedians(series).map(({ block, value }) => ({ block, values: [value] }));
  return { units };
}

function operationFigures(name: string, operation: CollectedOperation): OperationFigures {
  const { requests, totals, memoryKb, diskBytes, wrong } = operation;
  return {
    operation: name,
    requests: measureOfSeries(requests),
    p95Ms: tailOfSeries(requests, "p95"),
    p99Ms: tailOfSeries(requests, "p99"),
    total: measureOfSeries(totals),
    memoryKb: measureOfSeries(memoryKb),
    diskBytes: measureOfSeries(diskBytes),
    ...defined({ wrong }),
  };
}

function startFigures(startups: Series, compared: Compared | undefined): StartupFigures {
  const values = startups.units.flatMap((unit) => unit.values);
  const meanMs = mean(values);
  const sdMs = meanMs === undefined ? undefined : standardDeviation(values, meanMs);
  return {
    startup: measureOfSeries(startups),
    ...defined({ meanMs, sdMs, timesAsQuick: compared }),
  };
}

/** Returns the sample standard deviation, which the published source states with its means; undefined for one value. */
function standardDeviation(values: readonly number[], meanOf: number): number | undefined {
  if (values.length < 2) return undefined;
  const squares = values.reduce((sum, value) => sum + (value - meanOf) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Returns the figures of an operation; undefined if there are none. */
export function findOperation(
  engine: EngineFigures | undefined,
  name: string,
): OperationFigures | undefined {
  return engine?.operations.find(({ operation }) => operation === name);
}

/** All figures of the comparison's report, as in summary.json. Times are in ms; ratios above 1 are faster. */
export interface EngineView {
  readonly schemaVersion: 1;
  readonly subject: ReportSubject;
  readonly plan: Omit<Plan, "blocks" | "warnings" | "instrumented">;
  readonly manifest: Manifest;
  /** Figures against DynamoDB Local on a cold JVM. */
  readonly engines: readonly EngineFigures[];
  /** Figures against DynamoDB Local on a warm JVM. */
  readonly againstWarm: readonly EngineFigures[];
  readonly inFiles: readonly EngineFigures[];
  readonly micro?: MicroBenchmarks;
  readonly errors: readonly {
    readonly cellId: string;
    readonly message: string;
    readonly count: number;
  }[];
}

/** The inputs of the report. Calls of the embedded engine are present only if they were timed for it. */
export interface EngineInputs extends Pick<ReportInputs, "plan" | "manifest" | "samples"> {
  readonly micro?: MicroBenchmarks;
}

export async function engineView(inputs: EngineInputs): Promise<EngineView> {
  const { plan, manifest, samples, micro } = inputs;
  const collected = await collectEngines(plan, samples);
  const { blocks: _, warnings: __, instrumented: ___, ...planWithoutBlocks } = plan;
  const planned = [...plannedByCell(plan).values()].reduce((sum, n) => sum + n, 0);
  const against = engineFigures(plan, manifest, collected, coldBaseline);
  const isInFiles = ({ id }: EngineFigures) => enginesInFiles.includes(id);
  const { id, title, question, engines, baselineEngine } = emulators;
  return {
    schemaVersion: 1,
    subject: {
      id,
      title,
      question,
      variants: engines.map((engine) => ({ id: engine.id, label: engine.label })),
      baselineVariant: baselineEngine,
    },
    plan: planWithoutBlocks,
    manifest: { ...manifest, counts: collected.quality.counts(planned) },
    engines: against.filter((engine) => !isInFiles(engine)),
    againstWarm: engineFigures(plan, manifest, collected, warmBaseline).filter(
      (engine) => !isInFiles(engine),
    ),
    inFiles: against.filter(isInFiles),
    ...defined({ micro }),
    errors: [...collected.quality.errors.values()].map(({ cellId, message, count }) => ({
      cellId,
      message,
      count,
    })),
  };
}
