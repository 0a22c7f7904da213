import type { Sample } from "../contract/types/contract.ts";
import type { Series } from "../statistics/series.ts";

/** Returns the key of a series, by which samples, rows and ranges are found. */
export function seriesKey(
  cellId: string,
  { phase, operation }: Pick<Sample, "phase" | "operation">,
): string {
  return JSON.stringify([cellId, phase, operation]);
}

/** An execution environment of a cell. A trial that is repeated after an interruption gets a new one. */
interface Environment {
  readonly block: number;
  readonly attempt: number;
  readonly cpuModel?: string;
}

/** The kept samples of one cell, operation and phase, by environment. */
export class CollectedSeries {
  readonly environments: Environment[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #environmentOf = new NumberColumn();
  /** Columns by quantity; created at the first sample that has it. */
  readonly #columns = new Map<MetricName, NumberColumn>();
  readonly #isUnplanned: boolean;
  #lastIndex = 0;
  /** Series built since the last sample, held weakly: they are larger than the columns. */
  readonly #series = new Map<MetricName, WeakRef<Series>>();

  constructor({ isUnplanned = false }: { readonly isUnplanned?: boolean } = {}) {
    this.#isUnplanned = isUnplanned;
  }

  get n(): number {
    return this.#environmentOf.length;
  }

  /** @param cpuModel the CPU model of the environment, as reported in one of its samples */
  add(
    { block, attempt }: Pick<Sample, "block" | "attempt">,
    measured: Measured,
    cpuModel?: string,
  ): void {
    this.#series.clear();
    for (const name in measured) {
      this.#columnOf(name as MetricName).put(this.n, measured[name as MetricName]);
    }
    this.#environmentOf.push(this.#indexOfEnvironment(block, attempt ?? 0, cpuModel));
  }

  /** Returns a quantity's values by environment, without absent ones. All callers share the object. */
  series(quantity: MetricName): Series {
    const known = this.#series.get(quantity)?.deref();
    if (known !== undefined) return known;
    const series = this.#seriesOf(quantity);
    this.#series.set(quantity, new WeakRef(series));
    return series;
  }

  #seriesOf(quantity: MetricName): Series {
    const units = this.environments.map(({ block, cpuModel }) => ({
      block,
      values: [] as number[],
      ...(cpuModel !== undefined && { cpuModel }),
    }));
    const column = this.#columns.get(quantity);
    for (let index = 0; index < (column?.length ?? 0); index += 1) {
      const value = column?.at(index);
      if (value !== undefined) units[this.#environmentOf.at(index) ?? -1]?.values.push(value);
    }
    return { units, ...(this.#isUnplanned && { isUnplanned: true as const }) };
  }

  /** Returns a quantity's values over all environments. */
  values(quantity: MetricName): readonly number[] {
    return this.#columns.get(quantity)?.present() ?? [];
  }

  /** Returns the first value of an environment. In a cold or second series it is the only one. */
  firstIn({ block, attempt }: Environment, quantity: MetricName): number | undefined {
    const environment = this.#indexOf.get(environmentKey(block, attempt));
    for (let index = 0; index < this.n; index += 1) {
      if (this.#environmentOf.at(index) === environment) {
        return this.#columns.get(quantity)?.at(index);
      }
    }
    return undefined;
  }

  #columnOf(quantity: MetricName): NumberColumn {
    const known = this.#columns.get(quantity);
    if (known !== undefined) return known;
    const column = new NumberColumn();
    this.#columns.set(quantity, column);
    return column;
  }

  #indexOfEnvironment(block: number, attempt: number, cpuModel: string | undefined): number {
    // The environment is nearly always that of the previous sample.
    const last = this.environments[this.#lastIndex];
    if (last?.block === block && last.attempt === attempt) return this.#lastIndex;
    this.#lastIndex = this.#findEnvironment(block, attempt, cpuModel);
    return this.#lastIndex;
  }

  #findEnvironment(block: number, attempt: number, cpuModel: string | undefined): number {
    const key = environmentKey(block, attempt);
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    this.environments.push({ block, attempt, ...(cpuModel !== undefined && { cpuModel }) });
    this.#indexOf.set(key, this.environments.length - 1);
    return this.environments.length - 1;
  }
}

function environmentKey(block: number, attempt: number): string {
  return `${block}.${attempt}`;
}

/** Quantities that every report takes from a sample, units in the names. */
export type Metric =
  | "durationMs"
  | "sdkCallMs"
  | "billedDurationMs"
  | "initDurationMs"
  | "restoreDurationMs"
  | "initAndDurationMs"
  | "maxMemoryUsedMb"
  | "clientLatencyMs"
  | "firstByteMs"
  | "warmupMs"
  | "initCpuMs"
  | "invocationCpuMs"
  | "initInstructions"
  | "invocationInstructions";

/** Quantities that one experiment's report adds, units in the names: `own.tlsMs`. */
export type OwnMetric = `own.${string}`;

export type MetricName = Metric | OwnMetric;

/** Quantities by name; those that the sample lacks are absent. */
export type Measured = { readonly [Name in MetricName]?: number };

/** Returns the quantities of a kept sample. */
export function readMetrics(sample: Sample): Measured {
  const { telemetry, clientLatencyMs, firstByteMs, cpu, result } = sample;
  const { durationMs, billedDurationMs, initDurationMs, restoreDurationMs, maxMemoryUsedMb } =
    telemetry ?? {};
  // With SnapStart the caller waits for the restore; Init ran when the snapshot was published.
  const startMs = restoreDurationMs ?? initDurationMs;
  const initAndDurationMs =
    isMeasured(startMs) && isMeasured(durationMs) ? startMs + durationMs : undefined;
  return measured({
    durationMs,
    sdkCallMs: readField(result, "sdkCallMs"),
    billedDurationMs,
    initDurationMs,
    restoreDurationMs,
    initAndDurationMs,
    maxMemoryUsedMb,
    clientLatencyMs,
    firstByteMs,
    warmupMs: readField(result, "warmupMs"),
    initCpuMs: cpu?.initCpuMs,
    invocationCpuMs: cpu?.invocationCpuMs,
  });
}

/** Returns the instruction counts of a sample made under valgrind. Its times include valgrind's overhead. */
export function readInstructions({ instructions }: Sample): Measured {
  return measured({
    initInstructions: instructions?.init,
    invocationInstructions: instructions?.invocation,
  });
}

/** Returns whether a value from outside is a valid measurement: a finite number that is not negative. */
export function isMeasured(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Returns the values that are valid measurements. */
export function measured(values: { readonly [Name in MetricName]?: unknown }): Measured {
  // This runs for each of a million samples: an intermediate list of entries would take half of the report's time.
  const kept: { [Name in MetricName]?: number } = {};
  for (const name in values) {
    const value = values[name as MetricName];
    if (isMeasured(value)) kept[name as MetricName] = value;
  }
  return kept;
}

/** A column of numbers, 8 bytes each. Absent numbers are stored as NaN. */
export class NumberColumn {
  #values = new Float64Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number | undefined): void {
    this.put(this.#length, value);
  }

  /** Stores a number at an index at or past the end. Skipped indexes are absent. */
  put(index: number, value: number | undefined): void {
    if (index >= this.#values.length) {
      const larger = new Float64Array(Math.max(index + 1, this.#values.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    if (index > this.#length) this.#values.fill(Number.NaN, this.#length, index);
    this.#values[index] = value ?? Number.NaN;
    this.#length = index + 1;
  }

  /** Returns the number at the index; undefined if absent. */
  at(index: number): number | undefined {
    const value = index < this.#length ? this.#values[index] : undefined;
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }

  /** Returns the numbers that are present, in order of arrival. */
  present(): number[] {
    const present: number[] = [];
    for (let index = 0; index < this.#length; index += 1) {
      const value = this.#values[index] as number;
      if (!Number.isNaN(value)) present.push(value);
    }
    return present;
  }
}

/** Returns a field of a function's result, which may be any value; undefined if there is no such field. */
export function readField(result: unknown, name: string): unknown {
  return typeof result === "object" && result !== null && Object.hasOwn(result, name)
    ? (result as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
