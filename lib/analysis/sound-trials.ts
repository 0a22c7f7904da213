import type { Contradiction } from "../contract/exclusion-reasons.ts";
import type { Plan, Sample } from "../contract/types/contract.ts";
import { instrumentedPlan } from "../plan/expand.ts";
import { countTrialCalls } from "../plan/trial-calls.ts";

interface JudgedSample {
  readonly sample: Sample;
  readonly contradiction?: Contradiction;
  /** CPU model of the sample's environment, if that reported it after its last call. */
  readonly cpuModel?: string;
}

/**
 * Yields each sample with its contradiction, if any. Neither of two samples for the same call is trusted, and no
 * sample of an environment with two boot ids is. It holds the samples of one trial at a time, and the calls and boot
 * ids of earlier ones: trials are stored one after another, so a call that appears again later is a copy.
 */
export async function* judgedSamples(
  plan: Plan,
  samples: AsyncIterable<Sample>,
): AsyncGenerator<JudgedSample> {
  const calls = callsByTrial(plan);
  const ended: EndedTrials = { calls: new Map(), environmentOf: new Map() };
  let trial: RecordedTrial | undefined;
  for await (const sample of samples) {
    // Nothing identifies the environment of an imported sample.
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

/** Facts about environments whose samples were all read. */
interface EndedTrials {
  /** Calls by environment: one byte per call, 1 at the sequence of each that was read. */
  readonly calls: Map<string, Uint8Array>;
  /** Environments by cell and boot id. */
  readonly environmentOf: Map<string, string>;
}

/** An environment of a trial. */
interface RecordedAttempt {
  /** Samples by sequence. */
  readonly samples: Map<number, Sample>;
  /** The calls of EndedTrials, if some of this environment's were read earlier. */
  readonly readBefore: Uint8Array | undefined;
}

/** The samples of one cell in one block. Each attempt has its own environment. */
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

  /** Keeps the sample until the trial is complete, or returns its contradiction at once. */
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
    const trial = { samples: new Map<number, Sample>(), readBefore };
    this.#attempts.set(attempt, trial);
    return trial;
  }

  *judged(): Generator<JudgedSample> {
    const complete = [...this.#attempts].filter(([, { samples }]) => samples.size === this.#calls);
    // A trial that was completed is not repeated.
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

  /** Returns whether another environment had the boot id; otherwise assigns it to this one. */
  #isKnown(bootId: string, attempt: number): boolean {
    const environment = this.#environment(attempt);
    const process = JSON.stringify([this.#cellId, bootId]);
    const first = this.#ended.environmentOf.get(process) ?? environment;
    this.#ended.environmentOf.set(process, first);
    return first !== environment;
  }
}

/** Returns the boot id of a sample that counts: the sampler rejects answers of another process and ends the trial. */
function findBootId({ rejected, result, environmentId }: Sample): string | undefined {
  if (rejected !== undefined && rejected.reason !== "warm-up") return undefined;
  if (environmentId !== undefined) return environmentId;
  const { bootId } = Object(result) as { readonly bootId?: unknown };
  return typeof bootId === "string" ? bootId : undefined;
}

/** Returns the calls that the plan has for a cell in a block; 0 if it has no such trial. */
type TrialCalls = (cellId: string, block: number) => number;

/** Counts a trial's cold, second and warm calls, including those under callgrind. */
function callsByTrial(plan: Plan): TrialCalls {
  const calls = new Map(
    plannedTrials(plan).map((trial) => [trialKey(trial.cellId, trial.block), trial.calls]),
  );
  return (cellId, block) => calls.get(trialKey(cellId, block)) ?? 0;
}

/** Returns the number of samples that a plan expects of each cell. */
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
  const counted = instrumentedPlan(plan);
  return [plan, ...(counted ? [counted] : [])].flatMap((part) =>
    part.blocks.flatMap(({ index: block, trials }) =>
      trials.map((trial) => ({
        cellId: trial.cellId,
        block,
        calls: countTrialCalls(part, trial),
      })),
    ),
  );
}

function trialKey(cellId: string, block: number): string {
  return `${cellId}/${block}`;
}
