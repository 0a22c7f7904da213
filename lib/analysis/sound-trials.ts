import type { Plan, Sample } from "../contract/types/contract.ts";
import { countWarmCalls } from "../plan/trial-calls.ts";

/** Why samples contradict one another or the plan, so that a run of one writer cannot have left them. */
type Contradiction = "recorded-twice" | "two-boot-ids" | "boot-id-of-another" | "not-in-plan";

export const contradictions: Readonly<Record<Contradiction, string>> = {
  "recorded-twice": "the data has the same call of the same environment more than once",
  "two-boot-ids": "of one environment by its place, and of two processes by their boot ids",
  "boot-id-of-another": "of a process that the data has in another environment already",
  "not-in-plan": "of a call or an environment beyond those that the plan has",
};

interface JudgedSample {
  readonly sample: Sample;
  readonly contradiction?: Contradiction;
  /** Of the sample's environment, where that told it after its last call. */
  readonly cpuModel?: string;
}

/**
 * Each sample, and what it contradicts. None of two that stand for the same call is taken for the true
 * one, and of an environment with two boot ids nothing is. Holds the samples of one trial at a time, and
 * of those before what calls and boot ids they had: they come one after the other, as they are stored, so
 * that a call which comes again later is a copy.
 */
export async function* judgedSamples(
  plan: Plan,
  samples: AsyncIterable<Sample>,
): AsyncGenerator<JudgedSample> {
  const calls = callsByTrial(plan);
  const ended: EndedTrials = { calls: new Map(), environmentOf: new Map() };
  let trial: RecordedTrial | undefined;
  for await (const sample of samples) {
    // Of an imported one nothing says which environment it met.
    if (sample.target === "imported" || sample.runId !== plan.runId) {
      yield { sample };
      continue;
    }
    if (trial?.has(sample) !== true) {
      yield* trial?.judged() ?? [];
      trial = new RecordedTrial(sample, calls, ended);
    }
    const contradiction = trial.add(sample);
    if (contradiction !== undefined) yield { sample, contradiction };
  }
  yield* trial?.judged() ?? [];
}

/** What is known of environments whose samples were all read. */
interface EndedTrials {
  /** By environment: 1 at the sequence of each call that was read, a byte each. */
  readonly calls: Map<string, Uint8Array>;
  /** By cell and boot id. */
  readonly environmentOf: Map<string, string>;
}

/** An environment of a trial. */
interface RecordedAttempt {
  /** By sequence. */
  readonly samples: Map<number, Sample>;
  /** As in EndedTrials, where some of its calls came earlier. */
  readonly readBefore: Uint8Array | undefined;
}

/** The samples of a cell in a block, each attempt at it an environment. */
class RecordedTrial {
  readonly #cellId: string;
  readonly #block: number;
  readonly #calls: number;
  readonly #ended: EndedTrials;
  readonly #attempts = new Map<number, RecordedAttempt>();
  readonly #twice = new Set<Sample>();

  constructor({ cell, block }: Sample, calls: TrialCalls, ended: EndedTrials) {
    this.#cellId = cell.id;
    this.#block = block;
    this.#calls = calls(cell.id, block);
    this.#ended = ended;
  }

  has({ cell, block }: Sample): boolean {
    return cell.id === this.#cellId && block === this.#block;
  }

  /** Keeps the sample until the trial is whole, or says at once what it contradicts. */
  add(sample: Sample): Contradiction | undefined {
    const { attempt = 0, sequence } = sample;
    if (sequence >= this.#calls) return "not-in-plan";
    const { samples, readBefore } = this.#attempt(attempt);
    if (readBefore?.[sequence] === 1) return "recorded-twice";
    const first = samples.get(sequence);
    if (first === undefined) {
      samples.set(sequence, sample);
      return undefined;
    }
    this.#twice.add(first);
    return "recorded-twice";
  }

  #attempt(attempt: number): RecordedAttempt {
    const known = this.#attempts.get(attempt);
    if (known !== undefined) return known;
    const readBefore = this.#ended.calls.get(this.#environment(attempt));
    const begun = { samples: new Map<number, Sample>(), readBefore };
    this.#attempts.set(attempt, begun);
    return begun;
  }

  *judged(): Generator<JudgedSample> {
    const complete = [...this.#attempts].filter(([, { samples }]) => samples.size === this.#calls);
    // A trial that was made whole is not made again.
    const last = Math.min(...complete.map(([attempt]) => attempt));
    for (const [attempt, { samples }] of this.#attempts) {
      const bootIds = new Set<string>();
      let cpuModel: string | undefined;
      for (const sample of samples.values()) {
        const bootId = findBootId(sample);
        if (bootId !== undefined) bootIds.add(bootId);
        cpuModel ??= sample.cpuModel;
      }
      const isMixed = bootIds.size > 1;
      const isOfAnother = [...bootIds].some((bootId) => this.#isKnown(bootId, attempt));
      for (const sample of samples.values()) {
        if (attempt > last) yield { sample, contradiction: "not-in-plan" };
        else if (this.#twice.has(sample)) yield { sample, contradiction: "recorded-twice" };
        else if (isMixed) yield { sample, contradiction: "two-boot-ids" };
        else if (isOfAnother) yield { sample, contradiction: "boot-id-of-another" };
        else if (cpuModel !== undefined) yield { sample, cpuModel };
        else yield { sample };
      }
    }
    for (const [attempt, { samples, readBefore }] of this.#attempts) {
      const read = readBefore ?? new Uint8Array(this.#calls);
      for (const sequence of samples.keys()) read[sequence] = 1;
      this.#ended.calls.set(this.#environment(attempt), read);
    }
  }

  #environment(attempt: number): string {
    return `${trialKey(this.#cellId, this.#block)}/${attempt}`;
  }

  /** True of a boot id that another environment had; else it is this one's from now on. */
  #isKnown(bootId: string, attempt: number): boolean {
    const environment = this.#environment(attempt);
    const process = JSON.stringify([this.#cellId, bootId]);
    const first = this.#ended.environmentOf.get(process) ?? environment;
    this.#ended.environmentOf.set(process, first);
    return first !== environment;
  }
}

/** Of samples that count: where the sampler saw another process, it said so, and the trial ended. */
function findBootId({ rejected, result, environmentId }: Sample): string | undefined {
  if (rejected !== undefined && rejected.reason !== "warm-up") return undefined;
  if (environmentId !== undefined) return environmentId;
  const { bootId } = Object(result) as { readonly bootId?: unknown };
  return typeof bootId === "string" ? bootId : undefined;
}

/** Calls that the plan has of a cell in a block; 0 where it has no such trial. */
type TrialCalls = (cellId: string, block: number) => number;

/** A trial's cold and second call, and its warm ones; those under callgrind too. */
function callsByTrial(plan: Plan): TrialCalls {
  const calls = new Map(
    plannedTrials(plan).map((trial) => [trialKey(trial.cellId, trial.block), trial.calls]),
  );
  return (cellId, block) => calls.get(trialKey(cellId, block)) ?? 0;
}

/** Samples that a plan promises of each cell. */
export function plannedByCell(plan: Plan): ReadonlyMap<string, number> {
  const planned = new Map(plan.cells.map((cell) => [cell.id, 0]));
  for (const { cellId, calls } of plannedTrials(plan)) {
    planned.set(cellId, (planned.get(cellId) ?? 0) + calls);
  }
  return planned;
}

interface PlannedTrial {
  readonly cellId: string;
  readonly block: number;
  readonly calls: number;
}

function plannedTrials(plan: Plan): readonly PlannedTrial[] {
  return [plan, ...(plan.instrumented ? [plan.instrumented] : [])].flatMap(({ blocks, sizes }) => {
    const part = { sizes, ...(plan.requests !== undefined && { requests: plan.requests }) };
    return blocks.flatMap(({ index, visits: trials }) =>
      trials.map(({ cellId, warmOrder }) => {
        const warm = warmOrder.map((operation) => countWarmCalls(part, operation).calls);
        return { cellId, block: index, calls: warm.reduce((sum, count) => sum + count, 2) };
      }),
    );
  });
}

function trialKey(cellId: string, block: number): string {
  return `${cellId}/${block}`;
}
