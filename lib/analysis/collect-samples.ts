import type { ExclusionReason } from "../contract/exclusion-reasons.ts";
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

export interface CollectOptions {
  /**
   * Property by which every series is additionally split.
   * @default none
   */
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
  const cells = new Map(plan.cells.map((cell) => [cell.id, cell]));
  const exclusion = exclusionBy(plan);
  const collected = new CollectedSamples(plan, split);
  for await (const { sample, contradiction, cpuModel } of judgedSamples(plan, samples)) {
    const cell = cells.get(sample.cell.id);
    const reason = exclusion(sample, contradiction);
    collected.quality.add(sample, reason, findFlags(sample));
    if (isForeign(reason) || cell === undefined) continue;
    runCost.add(billable(sample, cell));
    if (contradiction !== undefined) continue;
    collected.addReported(cell, sample, reason);
    if (reason === undefined) collected.addKept(sample, ownOf(sample), cpuModel);
    if (reason === "instrumented") collected.addInstrumented(sample);
    if (reason === "warm-up") collected.addSetAside(sample);
  }
  return collected;
}

/** A run's samples, reduced to the numbers that a report needs. */
export class CollectedSamples {
  readonly quality = new QualityCounts();
  readonly builds = new BuildRecords();
  readonly warmupFailures = new WarmupFailures();
  readonly origins = new Origins();
  readonly #countingBlocks: ReadonlySet<number>;
  readonly #kept: SeriesMap;
  readonly #instrumented: SeriesMap;
  readonly #setAside: SeriesMap;
  #begunBlocks = 0;

  constructor(plan: Plan, split?: CollectOptions["split"]) {
    this.#countingBlocks = new Set(plan.instrumented?.blocks.map(({ index }) => index));
    this.#kept = new SeriesMap(plan, split);
    this.#instrumented = new SeriesMap(plan);
    this.#setAside = new SeriesMap(plan);
  }

  /** Adds what the sample shows of its environment, whether it counts or not. */
  addReported(cell: Cell, sample: Sample, reason: ExclusionReason | undefined): void {
    const { block, phase, result } = sample;
    if (!this.#countingBlocks.has(block))
      this.#begunBlocks = Math.max(this.#begunBlocks, block + 1);
    this.origins.add(cell, sample);
    if (phase !== "cold") return;
    this.builds.add(cell, result);
    if (reason === undefined) this.warmupFailures.add(cell.id, result);
  }

  addKept(sample: Sample, own: Measured, cpuModel: string | undefined): void {
    this.#kept.add(sample, { ...readMetrics(sample), ...own }, cpuModel);
  }

  addInstrumented(sample: Sample): void {
    if (sample.error === undefined) this.#instrumented.add(sample, readInstructions(sample));
  }

  /** Adds one of an environment's first warm calls, which no other figure has. */
  addSetAside(sample: Sample): void {
    if (sample.error === undefined) this.#setAside.add(sample, readMetrics(sample));
  }

  /** Number of the plan's blocks that were started, judged by the last one that has a sample. */
  get begunBlocks(): number {
    return this.#begunBlocks;
  }

  /** The kept samples by the CPU model of their environment. Undefined unless requested. */
  get byCpuModel(): ReadonlyMap<string | undefined, SeriesMap> | undefined {
    return this.#kept.byCpuModel;
  }

  /** Returns the kept samples; an empty series if there are none. */
  series(cellId: string, operation: string, phase: Sample["phase"]): CollectedSeries {
    return this.#kept.get(cellId, operation, phase);
  }

  /** Returns the warm calls that are set aside as planned. */
  setAside(cellId: string, operation: string): CollectedSeries {
    return this.#setAside.get(cellId, operation, "warm");
  }

  /** Returns the instruction counts of samples made under valgrind, which are in no other series. */
  instrumented(cellId: string, operation: string, phase: Sample["phase"]): CollectedSeries {
    return this.#instrumented.get(cellId, operation, phase);
  }
}

/** Series by cell, operation and phase. */
class SeriesMap {
  /** The same series for each CPU model alone; undefined unless split. */
  readonly byCpuModel: Map<string | undefined, SeriesMap> | undefined;
  readonly #all = new Map<string, CollectedSeries>();
  readonly #empty = new CollectedSeries();
  readonly #plan: Plan;
  #last: (SeriesPlace & { readonly series: CollectedSeries }) | undefined;

  constructor(plan: Plan, split?: CollectOptions["split"]) {
    this.#plan = plan;
    this.byCpuModel = split === "cpu" ? new Map() : undefined;
  }

  add(sample: Sample, measured: Measured, cpuModel?: string): void {
    const { operation, phase } = sample;
    const place = { cellId: sample.cell.id, operation, phase };
    // The place is nearly always that of the previous sample: a trial makes an operation's calls in sequence.
    if (this.#last === undefined || !isSamePlace(this.#last, place)) {
      this.#last = { ...place, series: this.#find(place) };
    }
    this.#last.series.add(sample, measured, cpuModel);
    if (this.byCpuModel === undefined) return;
    const ofModel = this.byCpuModel.get(cpuModel) ?? new SeriesMap(this.#plan);
    this.byCpuModel.set(cpuModel, ofModel);
    ofModel.add(sample, measured);
  }

  #find(place: SeriesPlace): CollectedSeries {
    const key = seriesKey(place.cellId, place);
    const isUnplanned = this.#plan.target === "imported";
    const series = this.#all.get(key) ?? new CollectedSeries({ isUnplanned });
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
