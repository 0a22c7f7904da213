import { defined } from "../contract/defined.ts";
import { isLost, isPlanned } from "../contract/exclusion-reasons.ts";
import type {
  ForcedCold,
  FunctionResult,
  Sample,
  SampleCounts,
} from "../contract/types/contract.ts";

type Phase = Sample["phase"];
type PhaseCounts = Record<Phase, number>;

/** Samples of one cell and one kind of call. */
interface CallCounts {
  recorded: number;
  /** Calls that were wrong, failed or did not report. */
  lost: number;
  /** Calls that do not count for other reasons, which were not planned. */
  rejected: number;
  /** The reasons of both. */
  readonly reasons: string[];
}

/** Samples of one cell. */
export interface CellCounts {
  recorded: number;
  kept: number;
  readonly byPhase: Readonly<Record<Phase, CallCounts>>;
  /** Calls that were wrong, failed or did not report; absent if there are none. */
  lost?: number;
  /** Calls whose Init took too long and was run again; absent if there are none. */
  initTimeouts?: number;
  /** Throttling while its environments were forced cold, if that was counted. */
  forcedCold?: Throttling;
}

/** Throttling by the control plane while environments were forced cold. */
export type Throttling = Pick<ForcedCold, "throttledCalls" | "waitedMs">;

/** Errors of one type in one cell: their count, and the first one's message. */
export interface ErrorGroup {
  readonly cellId: string;
  readonly type: string;
  readonly message: string;
  count: number;
}

/** Kinds of error that are listed apart; the rest are counted together, so that memory stays bounded. */
const errorGroupsHeld = 200;

function noCalls(): CellCounts {
  const none = () => ({ recorded: 0, lost: 0, rejected: 0, reasons: [] });
  return { recorded: 0, kept: 0, byPhase: { cold: none(), second: none(), warm: none() } };
}

/** Counts recorded, kept, rejected and flagged samples. Each exclusion is counted by its reason. */
export class QualityCounts {
  recorded = 0;
  kept = 0;
  errorsBeyondGroups = 0;
  /** Cold samples that report the time from Init to the first event, and those of them initialised early. */
  readonly initialisedEarly = { early: 0, reported: 0 };
  /** Kept cold samples with and without a known environment, the latter also by their stated reason. */
  readonly coldEnvironments = { known: 0, unknown: 0, reasons: new Map<string, number>() };
  readonly byCell = new Map<string, CellCounts>();
  readonly rejected = new Map<string, PhaseCounts>();
  readonly flags = new Map<string, PhaseCounts>();
  readonly rejectedSamples = new RejectedSamples();
  readonly errors = new Map<string, ErrorGroup>();

  add(sample: Sample, reason: string | undefined, flags: Iterable<string>): void {
    this.recorded += 1;
    const cell = this.byCell.get(sample.cell.id) ?? noCalls();
    this.byCell.set(sample.cell.id, cell);
    const ofPhase = cell.byPhase[sample.phase];
    cell.recorded += 1;
    ofPhase.recorded += 1;
    if (sample.forcedCold !== undefined)
      cell.forcedCold = addThrottling(cell.forcedCold, sample.forcedCold);
    if (tellsEndOfInit(sample)) {
      this.initialisedEarly.reported += 1;
      if (sample.flags?.includes("initialised-early") === true) this.initialisedEarly.early += 1;
    }
    for (const flag of flags) countIn(this.flags, flag, sample.phase);
    if (sample.error !== undefined) this.#addError(sample.cell.id, sample.error);
    if (reason !== undefined) {
      countIn(this.rejected, reason, sample.phase);
      this.rejectedSamples.add(sample, reason);
      const lost = isLost(reason, sample);
      if (lost) cell.lost = (cell.lost ?? 0) + 1;
      else if (reason === "init-repeated") cell.initTimeouts = (cell.initTimeouts ?? 0) + 1;
      if (isPlanned(reason)) return;
      ofPhase[lost ? "lost" : "rejected"] += 1;
      if (!ofPhase.reasons.includes(reason)) ofPhase.reasons.push(reason);
      return;
    }
    this.kept += 1;
    cell.kept += 1;
    if (sample.phase === "cold") {
      this.#countColdEnvironment(sample);
    }
  }

  #countColdEnvironment({ environmentId, environmentUnknown }: Sample): void {
    const counts = this.coldEnvironments;
    counts[environmentId === undefined ? "unknown" : "known"] += 1;
    if (environmentId !== undefined || environmentUnknown === undefined) return;
    counts.reasons.set(environmentUnknown, (counts.reasons.get(environmentUnknown) ?? 0) + 1);
  }

  counts(planned: number): SampleCounts {
    const rejected = [...this.rejected]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, { cold, second, warm }]) => [reason, cold + second + warm] as const);
    const { recorded, kept } = this;
    const initTimeouts = [...this.byCell.values()].reduce(
      (sum, cell) => sum + (cell.initTimeouts ?? 0),
      0,
    );
    const throttledCalls = this.#throttledCalls();
    return {
      planned,
      recorded,
      kept,
      rejected: Object.fromEntries(rejected),
      ...(initTimeouts > 0 && { initTimeouts }),
      ...defined({ throttledCalls }),
    };
  }

  #throttledCalls(): number | undefined {
    const counted = [...this.byCell.values()].flatMap((cell) => cell.forcedCold ?? []);
    if (counted.length === 0) return undefined;
    return counted.reduce((sum, { throttledCalls }) => sum + throttledCalls, 0);
  }

  #addError(cellId: string, error: { readonly type: string; readonly message: string }): void {
    const key = JSON.stringify([cellId, error.type]);
    const known = this.errors.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.errors.size < errorGroupsHeld) {
      this.errors.set(key, { cellId, type: error.type, message: error.message, count: 1 });
    } else this.errorsBeyondGroups += 1;
  }
}

function tellsEndOfInit({ phase, result }: Sample): boolean {
  const { initToFirstEventMs } = Object(result) as Partial<FunctionResult>;
  return phase === "cold" && initToFirstEventMs !== undefined;
}

function addThrottling(sum: Throttling | undefined, added: Throttling): Throttling {
  return {
    throttledCalls: (sum?.throttledCalls ?? 0) + added.throttledCalls,
    waitedMs: (sum?.waitedMs ?? 0) + added.waitedMs,
  };
}

function countIn(counts: Map<string, PhaseCounts>, name: string, phase: Phase): void {
  const phases = counts.get(name) ?? { cold: 0, second: 0, warm: 0 };
  counts.set(name, phases);
  phases[phase] += 1;
}

/** A sample that enters no statistic: its place in the data, and its details. */
export interface RejectedSample {
  readonly reason: string;
  readonly cellId: string;
  readonly block: number;
  /** Present if the trial was repeated. */
  readonly attempt?: number;
  readonly sequence: number;
  readonly phase: Sample["phase"];
  readonly operation: string;
  /** The Duration that Lambda reported, if any. */
  readonly durationMs?: number;
  /** The message of the rejection, or of the error, and the Inits that failed before the call. */
  readonly detail?: string;
}

/** Samples held per reason, so that memory and page stay bounded; the data has all of them. */
const rejectedHeld = 20;

/** Holds the first rejected samples of each reason, by cell, block and sequence and not by arrival. */
class RejectedSamples {
  readonly #byReason = new Map<string, RejectedSample[]>();

  add(sample: Sample, reason: string): void {
    const described = this.#byReason.get(reason) ?? [];
    this.#byReason.set(reason, described);
    const last = described.at(-1);
    const isFull = described.length === rejectedHeld;
    if (isFull && last !== undefined && before(last, samplePlace(sample))) return;
    if (isFull) described.pop();
    const added = describeRejected(sample, reason);
    const at = described.findIndex((other) => before(added, other));
    described.splice(at === -1 ? described.length : at, 0, added);
  }

  /** Returns the held samples, sorted by reason. */
  list(): readonly RejectedSample[] {
    return [...this.#byReason]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, described]) => described);
  }
}

type Place = Pick<RejectedSample, "cellId" | "block" | "attempt" | "sequence">;

function samplePlace({ cell, block, attempt, sequence }: Sample): Place {
  return { cellId: cell.id, block, ...defined({ attempt }), sequence };
}

function before(a: Place, b: Place): boolean {
  if (a.cellId !== b.cellId) return a.cellId < b.cellId;
  return (a.block - b.block || (a.attempt ?? 0) - (b.attempt ?? 0) || a.sequence - b.sequence) <= 0;
}

function describeRejected(sample: Sample, reason: string): RejectedSample {
  const { phase, operation, telemetry, rejected, error } = sample;
  const { durationMs } = telemetry ?? {};
  const failure = error === undefined ? undefined : `${error.type}: ${error.message}`;
  const details = [rejected?.detail ?? failure, ...initTexts(sample)].filter(Boolean);
  const detail = details.length === 0 ? undefined : details.join("; ");
  return {
    reason,
    ...samplePlace(sample),
    phase,
    operation,
    ...defined({ durationMs, detail }),
  };
}

/** Describes the failed Inits, and the whole wait: without the caller's clock, the first Init and the Duration. */
function initTexts({ failedInits = [], clientLatencyMs, telemetry }: Sample): readonly string[] {
  const [first] = failedInits;
  if (first === undefined) return [];
  const waitedMs = clientLatencyMs ?? Number(first.durationMs) + Number(telemetry?.durationMs);
  return [
    ...failedInits.map(({ status, durationMs, errorType = status }) => {
      const ended = status === "timeout" ? "timed out" : `failed (${errorType})`;
      return durationMs === undefined ? `Init ${ended}` : `Init ${ended} after ${durationMs} ms`;
    }),
    ...(Number.isFinite(waitedMs) ? [`its caller waited ${waitedMs.toFixed(2)} ms`] : []),
  ];
}
