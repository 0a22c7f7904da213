import { defined } from "../contract/defined.ts";
import type { Cell, Manifest, Plan, Sample } from "../contract/types/contract.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import type { Ratio } from "../statistics/ratio.ts";
import { meanPerEnvironment, type Series } from "../statistics/series.ts";
import { cliffsDelta, hodgesLehmannShift, mannWhitney } from "../statistics/shift.ts";
import { noiseFloorLog } from "../statistics/verdict.ts";
import { wholeWindow, windowText } from "./call-windows.ts";
import { hasDeployments, replicaPairs } from "./cell-pairs.ts";
import { changesOnLambda } from "./change-on-lambda.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import type { Metric } from "./collected-series.ts";
import { isTimeWithinPeriod } from "./comparisons.ts";
import { afterCorrection } from "./family.ts";
import { noiseFinding } from "./machine-noise.ts";
import { originGroups, originText } from "./origins.ts";
import { type Compared, ratioOfSides, sidesAlike, withVerdict } from "./series-ratio.ts";
import {
  listCells,
  listOperations,
  type Measure,
  measureOfSeries,
  type Tail,
  tailOfSeries,
} from "./series-view.ts";
import { type Unsound, unsoundSide } from "./standing.ts";

/** One of two runs of an experiment, with its samples read. */
export interface OneRun {
  readonly plan: Plan;
  readonly manifest: Omit<Manifest, "counts">;
  readonly samples: CollectedSamples;
}

/** A series that both runs have. Ratios are later over earlier run, shifts later minus earlier. */
export interface SeriesChange extends Compared {
  readonly experiment: string;
  readonly cell: Cell;
  readonly phase: Sample["phase"];
  readonly operation: string;
  readonly quantity: Metric;
  /** True if the quantity is a part of another series' quantity. */
  readonly descriptive?: true;
  readonly before: Measure;
  readonly after: Measure;
  readonly beforeP95: Tail;
  readonly afterP95: Tail;
  /** The Hodges-Lehmann estimate. */
  readonly shiftMs?: number;
  /** -1 to 1; above 0 the later run takes longer. */
  readonly cliffsDelta?: number;
  /** 90% range of the ratio on Lambda. Only for two local runs. */
  readonly onLambda?: LambdaRange;
  /** The side whose calls may not be compared. Absent if those of both runs may. */
  readonly unsound?: Unsound;
}

interface ChangeOptions {
  /** The smallest relative difference that matters; 0.05 is 5%. */
  readonly margin: number;
}

interface Wanted {
  readonly phase: Sample["phase"];
  readonly metrics: readonly Metric[];
  /** @default all */
  readonly primary?: Metric;
}

/** Times that a caller waits for. A cold start's parts are descriptive: otherwise one change would count twice. */
const wanted: readonly Wanted[] = [
  {
    phase: "cold",
    metrics: ["initAndDurationMs", "initDurationMs", "durationMs"],
    primary: "initAndDurationMs",
  },
  { phase: "second", metrics: ["durationMs"] },
  { phase: "warm", metrics: ["durationMs"] },
];

/**
 * Compares every series that both runs of an experiment have, the later with the earlier. The runs do not overlap in
 * time, so their blocks are drawn independently. The noise floor is the larger one of both runs' A/A pairs of the
 * same size. A difference must pass Holm's correction over all given pairs of runs, which are one family.
 */
export function compareRuns(
  pairs: readonly { readonly before: OneRun; readonly after: OneRun }[],
  { margin }: ChangeOptions,
): readonly SeriesChange[] {
  const changes = pairs.flatMap(({ before, after }) => {
    const rangeOf = changesOnLambda(before, after);
    return sharedSeries(before.plan, after.plan).map((key) => {
      const change = compareSeries(before, after, key, margin);
      const sides = [after, before].map((run) => ({ run, cell: key.cell }));
      const unsound = unsoundSide(sides, key.phase);
      return { ...change, ...defined({ onLambda: rangeOf(change), unsound }) };
    });
  });
  return afterCorrection(changes);
}

type SeriesKey = Pick<SeriesChange, "cell" | "phase" | "operation" | "quantity" | "descriptive">;

/** Returns the shared series in the order of the earlier plan, without the A/A replica. */
function sharedSeries(before: Plan, after: Plan): readonly SeriesKey[] {
  return wanted.flatMap(({ phase, metrics, primary }) =>
    listOperations(before, phase).flatMap((operation) =>
      listCells(before, phase, operation)
        .filter(({ replicaOf }) => replicaOf === undefined)
        .filter((cell) => hasSeries(after, cell, phase, operation))
        .flatMap((cell) =>
          metrics.map((quantity) => ({
            cell,
            phase,
            operation,
            quantity,
            ...(primary !== undefined && quantity !== primary && { descriptive: true as const }),
          })),
        ),
    ),
  );
}

function hasSeries(plan: Plan, { id }: Cell, phase: Sample["phase"], operation: string): boolean {
  return (
    listOperations(plan, phase).includes(operation) &&
    listCells(plan, phase, operation).some((cell) => cell.id === id)
  );
}

/** listUnshared returns the cells, the kinds of call and the warm operations that only one of two runs has. */
export function listUnshared(before: Plan, after: Plan): readonly string[] {
  const cellsOf = ({ cells }: Plan) =>
    cells.filter(({ replicaOf }) => replicaOf === undefined).map(({ id }) => id);
  const warmOf = (plan: Plan) => listOperations(plan, "warm").map((name) => `warm ${name}`);
  const startsOf = (plan: Plan) => listOperations(plan, "cold").map(() => "cold starts");
  return [cellsOf, startsOf, warmOf].flatMap((namesOf) => {
    const [earlier, later] = [namesOf(before), namesOf(after)];
    return [...new Set([...earlier, ...later])].filter(
      (name) => !earlier.includes(name) || !later.includes(name),
    );
  });
}

function compareSeries(
  before: OneRun,
  after: OneRun,
  key: SeriesKey,
  margin: number,
): SeriesChange {
  const [earlier, later] = [seriesIn(before, key), seriesIn(after, key)];
  const measured = {
    before: measureOfSeries(earlier),
    after: measureOfSeries(later),
    beforeP95: tailOfSeries(earlier, "p95"),
    afterP95: tailOfSeries(later, "p95"),
  };
  const pairing = "independent" as const;
  const ratio = ratioOfSides(later, earlier, { seed: after.plan.seed, pairing });
  const noiseFloor = largerFloor([before, after].map((run) => replicaRatio(run, key)));
  const [alike, earlierAlike] = sidesAlike(later, earlier, pairing);
  const means = [meanPerEnvironment(alike), meanPerEnvironment(earlierAlike)] as const;
  const { environments: baselineEnvironments } = measured.before;
  const pair = {
    ...ratio,
    environments: measured.after.environments,
    baselineEnvironments,
    isWithinPeriod: isTimeWithinPeriod(key.quantity, ...means),
    ...distance(...means),
  };
  return {
    experiment: after.plan.experiment,
    ...key,
    ...measured,
    ...withVerdict(pair, noiseFloor, { margin }),
  };
}

function distance(
  later: readonly number[],
  earlier: readonly number[],
): Pick<SeriesChange, "pValue" | "shiftMs" | "cliffsDelta"> {
  const test = mannWhitney(later, earlier);
  if (test.kind === "insufficient") return {};
  return {
    pValue: test.pValue,
    shiftMs: hodgesLehmannShift(later, earlier),
    cliffsDelta: cliffsDelta(later, earlier),
  };
}

function seriesIn({ samples }: OneRun, key: SeriesKey): Series {
  const { cell, operation, phase, quantity } = key;
  return samples.series(cell.id, operation, phase).series(quantity);
}

/** Returns the ratio of the run's own A/A pair at the size of the series. */
function replicaRatio(run: OneRun, key: SeriesKey): Ratio | undefined {
  const replicas = replicaPairs(run.plan).find(
    ({ cell }) =>
      cell.memoryMb === key.cell.memoryMb && cell.architecture === key.cell.architecture,
  );
  if (replicas === undefined || !hasDeployments(run.plan)) return undefined;
  const [replica, original] = [replicas.cell, replicas.baselineCell].map((cell) =>
    seriesIn(run, { ...key, cell }),
  );
  if (replica === undefined || original === undefined) return undefined;
  const { seed } = run.plan;
  return ratioOfSides(replica, original, { seed, pairing: "shared-blocks" }).ratio;
}

function largerFloor(floors: readonly (Ratio | undefined)[]): Ratio | undefined {
  const size = (ratio: Ratio) => noiseFloorLog(ratio) ?? -1;
  return floors
    .filter((floor) => floor !== undefined)
    .sort((one, other) => size(other) - size(one))[0];
}

/** A condition that differs between two runs. It is absent on a side that does not state it. */
export interface Difference {
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
}

type Condition = readonly [what: string, value: string | undefined];

/** Returns the conditions that differ. They may explain a change, or show that two different things are compared. */
export function differingConditions(before: OneRun, after: OneRun): readonly Difference[] {
  const [earlier, later] = [listConditions(before), listConditions(after)];
  const names = [...new Set([...earlier.keys(), ...later.keys()])];
  return names
    .filter((what) => earlier.get(what) !== later.get(what))
    .map((what) => ({
      what,
      ...valueOn("before", earlier, what),
      ...valueOn("after", later, what),
    }));
}

function valueOn<Side extends "before" | "after">(
  side: Side,
  conditions: ReadonlyMap<string, string>,
  what: string,
): { readonly [Key in Side]?: string } {
  const value = conditions.get(what);
  return value === undefined ? {} : ({ [side]: value } as { readonly [Key in Side]: string });
}

function listConditions({ plan, manifest, samples }: OneRun): ReadonlyMap<string, string> {
  const { environments, warmEnvironments, warmCalls } = plan.sizes;
  const entries: readonly Condition[] = [
    ["status", manifest.status],
    ["region", manifest.region],
    [timeOfCalls, timeText(manifest)],
    ["environments", `${environments} cold, ${warmEnvironments} x ${warmCalls} warm`],
    ["cells", String(plan.cells.length)],
    ["idle before a call, ms", plan.idleMs?.toString()],
    ...machineConditions(manifest),
    ["machine's other work", busyText(manifest)],
    ...Object.entries(manifest.versions).map(
      ([name, version]): Condition => [`version of ${name}`, version],
    ),
    ...artefactConditions(manifest),
    ...originGroups(samples.origins.all()).map((group) => [group.name, originText(group)] as const),
  ];
  return new Map(entries.flatMap(([what, value]) => (value === undefined ? [] : [[what, value]])));
}

/** Name of the condition that holds an import's call window. */
export const timeOfCalls = "time of the calls";

/** Returns an import's call window; undefined for Kelvin's own runs, which measure both sides at the same time. */
function timeText({ imported }: Pick<Manifest, "imported">): string | undefined {
  const window = imported && wholeWindow(imported);
  return window && windowText(window);
}

function machineConditions({ machine }: Pick<Manifest, "machine">): readonly Condition[] {
  if (machine === undefined) return [];
  return [
    ["CPU model", machine.cpuModel],
    ["CPUs", String(machine.cpus)],
    ["operating system", machine.os],
    ["CPU quota", machine.cpuQuota],
    ["bandwidth slice, ms", machine.bandwidthSliceMs?.toString()],
    ["functions stay on one CPU", machine.staysOnOneCpu?.toString()],
    ["transport", machine.transport],
    ["network profile", machine.networkProfile],
  ];
}

/** Returns undefined if the machine's noise was not read. */
function busyText(manifest: Pick<Manifest, "noise" | "machine">): string | undefined {
  const finding = noiseFinding(manifest);
  return finding && (finding.isBusy ? "busy" : "quiet");
}

function artefactConditions({ artefacts }: Pick<Manifest, "artefacts">): readonly Condition[] {
  return artefacts.flatMap(({ variant, architecture, sha256 }) =>
    sha256 === undefined ? [] : [[`artefact ${variant} (${architecture})`, sha256.slice(0, 12)]],
  );
}
