import { defined } from "../contract/defined.ts";
import { leftOutReasons } from "../contract/exclusion-reasons.ts";
import type { Cell, ImportedOrigin, Sample } from "../contract/types/contract.ts";
import { initRepeated } from "../sampler/rejection.ts";
import type { ImportedCells } from "./imported-cells.ts";
import { distinctCalls } from "./repeated-reports.ts";
import type { ImportedInvocation, ReadSource } from "./source.ts";

/** Imported samples belong to no experiment of the catalogue. */
export const importedExperiment = "imported";

/** Makes a sample of each invocation, with what the manifest says of all. Throws InvalidInput as ImportedCells does. */
export function makeSamples(
  sources: readonly ReadSource[],
  cells: ImportedCells,
  { runId, operation }: Pick<Sample, "runId" | "operation">,
) {
  const { calls, repeated } = distinctCalls(sources);
  const environments = new Environments();
  const samples = calls.map(({ source, invocation }): Sample => {
    const { requestId, reportedAt, stream, telemetry, failedInits } = invocation;
    const cell = cells.of(source, invocation);
    return {
      runId,
      experiment: importedExperiment,
      target: "imported",
      cell,
      operation,
      phase: isCold(invocation) ? "cold" : "warm",
      ...environments.add(cell, stream),
      ...defined({ requestId, reportedAt }),
      telemetry,
      ...defined({ failedInits }),
      ...describeFailure(invocation),
    };
  });
  const every = everyInvocation(sources, samples);
  const origin = { ...environments.logStreams(), ...every, ...reportedWindows(samples) };
  return { samples, repeated, origin };
}

/** Assigns each sample to its environment, in order of arrival. */
class Environments {
  readonly #ofStream = new Map<string, { readonly block: number; samples: number }>();
  #blocks = 0;
  #without = 0;

  /** Lambda never uses one stream for two functions or sizes, so the cell is part of the stream's identity. */
  add({ id }: Cell, stream: string | undefined): Pick<Sample, "block" | "sequence"> {
    const known = stream === undefined ? undefined : this.#ofStream.get(`${id} ${stream}`);
    const { block, samples } = known ?? { block: this.#blocks, samples: 0 };
    if (known === undefined) this.#blocks += 1;
    if (stream === undefined) this.#without += 1;
    else this.#ofStream.set(`${id} ${stream}`, { block, samples: samples + 1 });
    return { block, sequence: samples };
  }

  logStreams(): Pick<ImportedOrigin, "logStreams"> {
    const counts = [...this.#ofStream.values()].map(({ samples }) => samples).sort((a, b) => a - b);
    const [fewestSamples, mostSamples] = [counts[0], counts.at(-1)];
    if (fewestSamples === undefined || mostSamples === undefined) return {};
    const samples = counts.reduce((sum, count) => sum + count, 0);
    const streams = counts.length;
    return {
      logStreams: { streams, samples, samplesWithout: this.#without, fewestSamples, mostSamples },
    };
  }
}

function isCold({ telemetry, failedInits }: ImportedInvocation): boolean {
  const { initDurationMs, restoreDurationMs } = telemetry;
  return (initDurationMs ?? restoreDurationMs ?? failedInits) !== undefined;
}

/** Returns why an invocation does not count; empty if it does. */
function describeFailure(invocation: ImportedInvocation): Pick<Sample, "rejected" | "error"> {
  const { failure } = invocation;
  const { status, errorType } = invocation.telemetry;
  const type = errorType ?? status ?? failure;
  if (type === undefined) return defined({ rejected: initRepeated(invocation) });
  const message =
    status === undefined && errorType === undefined
      ? `a line outside its report says so: ${failure}`
      : `Lambda reported: ${status ?? type}`;
  return { rejected: { reason: "error", detail: type }, error: { type, message } };
}

/** Rows of Logs Insights may be a selection (`limit`, `sort`), and an average stands for calls that are unknown. */
const formatsOfAllCalls: readonly string[] = ["report", "events", "log-group"];
/** What may be left out of a log without a call being left out. */
const { otherLine, initReport, readBefore } = leftOutReasons;
const noCalls: readonly string[] = [otherLine, initReport, readBefore];

/**
 * Counts the cold and warm invocations if the sources have every one of their time: the share of cold starts is then
 * the functions' own. Empty if some may be missing, or if a local emulator printed them.
 */
function everyInvocation(
  sources: readonly ReadSource[],
  samples: readonly Sample[],
): Pick<ImportedOrigin, "everyInvocation"> {
  const hasEveryCall = ({ format, notTaken, invocations }: ReadSource) =>
    formatsOfAllCalls.includes(format) &&
    [...notTaken.keys()].every((reason) => noCalls.includes(reason)) &&
    !invocations.some(({ isEmulated }) => isEmulated === true);
  if (samples.length === 0 || !sources.every(hasEveryCall)) return {};
  const cold = samples.filter(({ phase }) => phase === "cold").length;
  return { everyInvocation: { cold, warm: samples.length - cold } };
}

/** Returns the time window in which each cell was called, if the sources have times. */
function reportedWindows(samples: readonly Sample[]): Pick<ImportedOrigin, "windows"> {
  const found = new Map<string, { from: string; to: string }>();
  for (const { cell, reportedAt } of samples) {
    if (reportedAt === undefined) continue;
    const { from = reportedAt, to = reportedAt } = found.get(cell.id) ?? {};
    found.set(cell.id, {
      from: reportedAt < from ? reportedAt : from,
      to: reportedAt > to ? reportedAt : to,
    });
  }
  const windows = [...found].map(([cellId, window]) => ({ cellId, ...window }));
  return windows.length === 0 ? {} : { windows };
}
