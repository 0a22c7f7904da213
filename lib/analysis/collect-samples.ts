import type { Cell, Plan, Sample } from "../contract/types/contract.ts";
import { type BilledSample, checkBilled, type RunCostTotal } from "../cost/invocation-cost.ts";
import {
  CollectedSeries,
  isMeasured,
  type Measured,
  readField,
  readInstructions,
  readMetrics,
  seriesKey,
} from "./collected-series.ts";
import { exclusionBy, isForeign } from "./exclusion.ts";
import { Origins } from "./origins.ts";
import { QualityCounts } from "./quality-counts.ts";
import { judgedSamples } from "./sound-trials.ts";

/** A run's samples, reduced to the numbers that a report needs. */
export interface CollectedSamples {
  readonly quality: QualityCounts;
  readonly builds: BuildRecords;
  readonly warmupFailures: WarmupFailures;
  readonly origins: Origins;
  /** Number of the plan's blocks that were started, judged by the last one that has a sample. */
  readonly begunBlocks: number;
  /** Returns the kept samples; an empty series if there are none. */
  series(cellId: string, operation: string, phase: Sample["phase"]): CollectedSeries;
  /** Returns the instruction counts of samples made under valgrind, which are in no other series. */
  instrumented(cellId: string, operation: string, phase: Sample["phase"]): CollectedSeries;
  /** The kept samples by the CPU model of their environment. Absent unless requested. */
  readonly byCpuModel?: ReadonlyMap<string | undefined, SeriesMap>;
}

export interface CollectOptions {
  /** @default not at all */
  readonly split?: "cpu";
}

/**
 * Reads every sample once, holding those of one trial at a time. Rejected samples are counted and priced, since they
 * were billed, but enter no statistic. `ownOf` extracts the quantities of the experiment's own report.
 */
export async function collectSamples(
  plan: Plan,
  samples: AsyncIterable<Sample>,
  runCost: Pick<RunCostTotal, "add">,
  ownOf: (sample: Sample) => Measured,
  { split }: CollectOptions = {},
): Promise<CollectedSamples> {
  const quality = new QualityCounts();
  const builds = new BuildRecords();
  const warmupFailures = new WarmupFailures();
  const origins = new Origins();
  const isUnplanned = plan.target === "imported";
  const byCpuModel = new Map<string | undefined, SeriesMap>();
  const kept = new SeriesMap(isUnplanned);
  const instrumented = new SeriesMap(isUnplanned);
  const cells = new Map(plan.cells.map((cell) => [cell.id, cell]));
  const exclusion = exclusionBy(plan);
  const countingBlocks = new Set(plan.instrumented?.blocks.map(({ index }) => index));
  let begunBlocks = 0;
  for await (const { sample, contradiction, cpuModel } of judgedSamples(plan, samples)) {
    const cell = cells.get(sample.cell.id);
    const reason = exclusion(sample, contradiction);
    quality.add(sample, reason, findFlags(sample));
    if (isForeign(reason) || cell === undefined) continue;
    runCost.add(billable(sample, cell));
    if (contradiction !== undefined) continue;
    if (!countingBlocks.has(sample.block)) begunBlocks = Math.max(begunBlocks, sample.block + 1);
    origins.add(cell, sample);
    if (sample.phase === "cold") builds.add(cell, sample.result);
    if (reason === undefined) {
      if (sample.phase === "cold") warmupFailures.add(cell.id, sample.result);
      const measured = { ...readMetrics(sample), ...ownOf(sample) };
      kept.add(sample, measured, cpuModel);
      if (split === "cpu") findSeries(byCpuModel, cpuModel, isUnplanned).add(sample, measured);
    } else if (reason === "instrumented" && sample.error === undefined) {
      instrumented.add(sample, readInstructions(sample));
    }
  }
  return {
    quality,
    builds,
    warmupFailures,
    origins,
    begunBlocks,
    series: (...key) => kept.get(...key),
    instrumented: (...key) => instrumented.get(...key),
    ...(split === "cpu" && { byCpuModel }),
  };
}

function findSeries(
  byCpuModel: Map<string | undefined, SeriesMap>,
  cpuModel: string | undefined,
  isUnplanned: boolean,
): SeriesMap {
  const series = byCpuModel.get(cpuModel) ?? new SeriesMap(isUnplanned);
  byCpuModel.set(cpuModel, series);
  return series;
}

/** Series by cell, operation and phase. */
class SeriesMap {
  readonly #all = new Map<string, CollectedSeries>();
  readonly #empty = new CollectedSeries();
  readonly #isUnplanned: boolean;
  #last: (SeriesPlace & { readonly series: CollectedSeries }) | undefined;

  constructor(isUnplanned: boolean) {
    this.#isUnplanned = isUnplanned;
  }

  add(sample: Sample, measured: Measured, cpuModel?: string): void {
    const { operation, phase } = sample;
    const place = { cellId: sample.cell.id, operation, phase };
    // The place is nearly always that of the previous sample: a trial makes an operation's calls in sequence.
    if (this.#last === undefined || !isSamePlace(this.#last, place)) {
      this.#last = { ...place, series: this.#find(place) };
    }
    this.#last.series.add(sample, measured, cpuModel);
  }

  #find(place: SeriesPlace): CollectedSeries {
    const key = seriesKey(place.cellId, place);
    const series = this.#all.get(key) ?? new CollectedSeries({ isUnplanned: this.#isUnplanned });
    this.#all.set(key, series);
    return series;
  }

  get(cellId: string, operation: string, phase: Sample["phase"]): CollectedSeries {
    return this.#all.get(seriesKey(cellId, { operation, phase })) ?? this.#empty;
  }
}

interface SeriesPlace {
  readonly cellId: string;
  readonly operation: string;
  readonly phase: Sample["phase"];
}

function isSamePlace(one: SeriesPlace, other: SeriesPlace): boolean {
  const { cellId, operation, phase } = one;
  return cellId === other.cellId && operation === other.operation && phase === other.phase;
}

/** Returns the sample to price, with the plan's memory size; its telemetry only with a valid billed Duration. */
function billable({ operation, telemetry }: Sample, cell: Cell): BilledSample {
  const isUsable = telemetry !== undefined && isMeasured(telemetry.billedDurationMs);
  return isUsable ? { cell, operation, telemetry } : { cell, operation };
}

/** Returns the sample's flags, plus `billed-mismatch` if its Billed Duration is not that of Init and Duration. */
function findFlags(sample: Sample): ReadonlySet<string> {
  const flags = new Set<string>(sample.flags);
  const { telemetry } = sample;
  if (telemetry !== undefined && checkBilled(telemetry).kind === "mismatch") {
    flags.add("billed-mismatch");
  }
  return flags;
}

/** A build as its process reports it. Fields that it does not report are absent. */
export interface BuildRecord {
  readonly variant: string;
  readonly architecture: Cell["architecture"];
  readonly profile?: string;
  readonly cryptoProvider?: string;
  readonly entropy?: string;
  readonly trustStore?: string;
  readonly binaryBytes?: number;
  /** Number of processes that reported this build. */
  readonly processes: number;
}

const textFields = ["profile", "cryptoProvider", "entropy", "trustStore"] as const;

/** A run should have one build per variant; more are reported, up to this number. */
const recordsHeld = 200;
const longestText = 80;

/** Counts the processes of each distinct build. */
class BuildRecords {
  readonly #records = new Map<string, BuildRecord>();

  add({ variant, architecture }: Cell, result: unknown): void {
    const build = readField(result, "build");
    if (typeof build !== "object" || build === null) return;
    const record = { variant, architecture, ...readFields(build) };
    const key = JSON.stringify(record);
    const known = this.#records.get(key);
    if (known === undefined && this.#records.size >= recordsHeld) return;
    this.#records.set(key, { ...record, processes: (known?.processes ?? 0) + 1 });
  }

  /** Returns the records in an order that does not depend on that of the samples. */
  all(): readonly BuildRecord[] {
    return [...this.#records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  }
}

function readFields(build: object): Omit<BuildRecord, "variant" | "architecture" | "processes"> {
  const texts = textFields.flatMap((name) => {
    const text = readField(build, name);
    return typeof text === "string" && text !== "" ? [[name, text.slice(0, longestText)]] : [];
  });
  const bytes = readField(build, "binaryBytes");
  const isBytes = typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes > 0;
  return { ...Object.fromEntries(texts), ...(isBytes && { binaryBytes: bytes }) };
}

/** Failed calls that Init made to warm a client, counted by cell and class of failure. */
export interface WarmupFailure {
  readonly cellId: string;
  readonly type: string;
  readonly count: number;
}

/** Kinds of failure that are listed apart; the rest are counted together, so that memory stays bounded. */
const kindsHeld = 200;
const longestType = 80;
const other = "other";

/** Counts the failures of a run's new processes. */
class WarmupFailures {
  readonly #failures = new Map<string, WarmupFailure>();

  /** Call it only for a process's first invocation: later ones repeat the same error. */
  add(cellId: string, result: unknown): void {
    const error = readField(result, "warmupError");
    if (error === undefined) return;
    const named = typeof error === "string" && error !== "" ? error.slice(0, longestType) : other;
    const isNew = !this.#failures.has(makeKey(cellId, named));
    const type = isNew && this.#failures.size >= kindsHeld ? other : named;
    const count = (this.#failures.get(makeKey(cellId, type))?.count ?? 0) + 1;
    this.#failures.set(makeKey(cellId, type), { cellId, type, count });
  }

  /** Returns the failures in an order that does not depend on that of the samples. */
  all(): readonly WarmupFailure[] {
    return [...this.#failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, failure]) => failure);
  }
}

function makeKey(cellId: string, type: string): string {
  return JSON.stringify([cellId, type]);
}
