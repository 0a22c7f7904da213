import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import type {
  Cell,
  ImportedAverage,
  ImportedOrigin,
  Manifest,
  Plan,
  Sample,
} from "../contract/types/contract.ts";
import { initRepeated } from "../sampler/rejection.ts";
import { Environments } from "./environments.ts";
import { everyInvocation } from "./every-invocation.ts";
import { describedFunction, type FunctionOptions, ImportedCells } from "./imported-cells.ts";
import { distinctCalls, type RepeatedReports } from "./repeated-reports.ts";
import { type ImportedInvocation, type ReadSource, reasons } from "./source.ts";

/** Facts about an import other than its sources. */
interface ImportStamp {
  readonly runId: string;
  readonly createdAt: string;
  /** Date of the price table that the report uses. */
  readonly pricesDate: string;
  /** SHA-256 of the sources, in their order; undefined for a source that is not a file. */
  readonly sha256: readonly (string | undefined)[];
}

/** An imported run, in the form in which Kelvin's own runs are stored. */
export interface ImportedRun {
  readonly plan: Plan;
  readonly manifest: Omit<Manifest, "counts">;
  readonly samples: readonly Sample[];
}

const noRegion = "a region not recorded";

/**
 * Builds one run from all sources. Each invocation is one sample. Its block number identifies its environment: its
 * log stream's, or a unique one without a stream (decision 0037). Averages are not samples. Throws InvalidInput if
 * the sources lack something that a cell needs, or contradict the options.
 */
export function importedRun(
  sources: readonly ReadSource[],
  options: FunctionOptions,
  stamp: ImportStamp,
): ImportedRun {
  requireOneKind(sources);
  const described = describedFunction(sources, options);
  const cells = new ImportedCells(described, options.memoryMb);
  const { runId, createdAt } = stamp;
  const { region, runtimeVersions, operation } = described;
  const { samples, repeated, environments } = makeSamples(sources, cells, { runId, operation });
  const averages = readAverages(sources, cells);
  return {
    plan: makePlan(cells.all(), samples, { runId, createdAt, operation }),
    manifest: {
      schemaVersion: 1,
      runId,
      experiment: importedExperiment,
      target: "imported",
      status: "complete",
      startedAt: createdAt,
      endedAt: createdAt,
      imported: {
        ...describeOrigin(sources, repeated, averages, stamp.sha256),
        ...environments.logStreams(),
        ...everyInvocation(sources, samples),
        ...reportedWindows(samples),
      },
      cellFailures: [],
      artefacts: [],
      versions: runtimeVersions.length === 0 ? {} : { runtime: runtimeVersions.join(", ") },
      ...defined({ region }),
      prices: { date: stamp.pricesDate, region: region ?? noRegion },
      warnings: sources.flatMap(({ warnings }) => warnings),
    },
    samples,
  };
}

/** Throws InvalidInput if there are averages and samples: averages would be read as samples. */
function requireOneKind(sources: readonly ReadSource[]): void {
  const ofAverages = sources.find(({ averages }) => averages.length > 0);
  const ofSamples = sources.find(({ invocations }) => invocations.length > 0);
  if (ofAverages === undefined || ofSamples === undefined) return;
  throw new InvalidInput(
    "source",
    ofAverages.name,
    `sources with samples only, such as ${ofSamples.name}`,
  );
}

function readAverages(
  sources: readonly ReadSource[],
  cells: ImportedCells,
): readonly ImportedAverage[] {
  return sources.flatMap((source) =>
    source.averages.map(({ memoryMb, ...average }) => ({
      cellId: cells.ofAverage(source, memoryMb).id,
      ...average,
    })),
  );
}

function describeOrigin(
  sources: readonly ReadSource[],
  repeated: TakenSamples["repeated"],
  averages: readonly ImportedAverage[],
  sha256: ImportStamp["sha256"],
): ImportedOrigin {
  const all = sources.map((source, index) => {
    const twice = repeated.get(source)?.length ?? 0;
    const emulated = countEmulated(source.invocations) - countEmulated(repeated.get(source) ?? []);
    const notTaken = Object.fromEntries(source.notTaken);
    return {
      name: source.name,
      format: source.format,
      ...defined({ sha256: sha256[index] }),
      read: source.read,
      taken: source.invocations.length + source.averages.length - twice,
      ...(emulated > 0 && { emulated }),
      notTaken: twice === 0 ? notTaken : { ...notTaken, [reasons.readBefore]: twice },
    };
  });
  return {
    temperature: "init-duration-alone",
    sources: all,
    ...(averages.length > 0 && { averages: [...averages] }),
  };
}

function countEmulated(invocations: readonly ImportedInvocation[]): number {
  return invocations.filter(({ isEmulated }) => isEmulated === true).length;
}

/** Returns the plan of an import, for which nothing was planned: it has the cells and sizes that were found. */
function makePlan(
  cells: readonly Cell[],
  samples: readonly Sample[],
  of: { readonly runId: string; readonly createdAt: string; readonly operation: string },
): Plan {
  const { runId, createdAt, operation } = of;
  const most = (phase: Sample["phase"]) =>
    Math.max(0, ...cells.map(({ id }) => countEnvironments(samples, id, phase)));
  const warmEnvironments = most("warm");
  return {
    schemaVersion: 2,
    runId,
    experiment: importedExperiment,
    target: "imported",
    preset: "imported",
    seed: 0,
    createdAt,
    cells: [...cells],
    coldOperation: operation,
    warmOperations: [operation],
    withoutTable: true,
    sizes: {
      environments: most("cold"),
      warmEnvironments,
      warmCalls: warmEnvironments === 0 ? 0 : 1,
      discardedCalls: 0,
    },
    blocks: [{ index: 0, trials: [] }],
    lanes: 1,
    timeoutSeconds: 900,
    warnings: [],
  };
}

function countEnvironments(
  samples: readonly Sample[],
  cellId: string,
  phase: Sample["phase"],
): number {
  const own = samples.filter((sample) => sample.cell.id === cellId && sample.phase === phase);
  return new Set(own.map(({ block }) => block)).size;
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

interface TakenSamples {
  readonly samples: readonly Sample[];
  /** Reports per source that had been read already, for example because two files overlap. */
  readonly repeated: RepeatedReports;
  readonly environments: Environments;
}

/** Makes a sample of each invocation, and lists repeated reports. Throws InvalidInput as ImportedCells does. */
function makeSamples(
  sources: readonly ReadSource[],
  cells: ImportedCells,
  { runId, operation }: Pick<Sample, "runId" | "operation">,
): TakenSamples {
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
  return { samples, repeated, environments };
}

function isCold({ telemetry, failedInits }: ImportedInvocation): boolean {
  const { initDurationMs, restoreDurationMs } = telemetry;
  return (initDurationMs ?? restoreDurationMs ?? failedInits) !== undefined;
}

/** Returns why an invocation does not count; empty if it does. */
function describeFailure(invocation: ImportedInvocation): Pick<Sample, "rejected" | "error"> {
  const { telemetry, failure } = invocation;
  const { status, errorType } = telemetry;
  if (status === undefined && errorType === undefined && failure === undefined) {
    return defined({ rejected: initRepeated(invocation) });
  }
  const type = errorType ?? status ?? failure ?? "error";
  const message =
    status === undefined && errorType === undefined
      ? `a line outside its report says so: ${failure}`
      : `Lambda reported: ${status ?? type}`;
  return { rejected: { reason: "error", detail: type }, error: { type, message } };
}

/** Imported samples belong to no experiment of the catalogue. */
const importedExperiment = "imported";

/** Returns the subject of a report on imported samples: their functions, the first one as the baseline. */
export function importedSubject({ cells }: Pick<Plan, "cells">) {
  const variants = [...new Set(cells.map(({ variant }) => variant))];
  const names = variants.join(", ");
  return {
    id: importedExperiment,
    title: `Imported: ${names}`,
    question: `What did Lambda report of ${names}?`,
    variants: variants.map((id) => ({ id, label: id })),
    baselineVariant: variants[0] ?? "",
  };
}
