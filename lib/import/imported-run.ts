import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { leftOutReasons } from "../contract/exclusion-reasons.ts";
import type {
  Cell,
  ImportedAverage,
  ImportedOrigin,
  Manifest,
  Plan,
  Sample,
} from "../contract/types/contract.ts";
import { describedFunction, type FunctionOptions, ImportedCells } from "./imported-cells.ts";
import { importedExperiment, makeSamples } from "./imported-samples.ts";
import type { ImportedInvocation, ReadSource } from "./source.ts";

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
  const { samples, repeated, origin } = makeSamples(sources, cells, { runId, operation });
  const averages = sources.flatMap((source) =>
    source.averages.map(({ memoryMb, ...average }): ImportedAverage => {
      return { cellId: cells.ofAverage(source, memoryMb).id, ...average };
    }),
  );
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
      imported: { ...describeOrigin(sources, repeated, averages, stamp.sha256), ...origin },
      cellFailures: [],
      artefacts: [],
      versions: runtimeVersions.length === 0 ? {} : { runtime: runtimeVersions.join(", ") },
      ...defined({ region }),
      prices: { date: stamp.pricesDate, region: region ?? "a region not recorded" },
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
  const allowed = `sources with samples only, such as ${ofSamples.name}`;
  throw new InvalidInput("source", ofAverages.name, allowed);
}

function describeOrigin(
  sources: readonly ReadSource[],
  repeated: ReturnType<typeof makeSamples>["repeated"],
  averages: readonly ImportedAverage[],
  sha256: ImportStamp["sha256"],
): ImportedOrigin {
  const all = sources.map((source, index) => {
    const twice = repeated.get(source) ?? [];
    const emulated = countEmulated(source.invocations) - countEmulated(twice);
    return {
      name: source.name,
      format: source.format,
      ...defined({ sha256: sha256[index] }),
      read: source.read,
      taken: source.invocations.length + source.averages.length - twice.length,
      ...(emulated > 0 && { emulated }),
      notTaken: {
        ...Object.fromEntries(source.notTaken),
        ...(twice.length > 0 && { [leftOutReasons.readBefore]: twice.length }),
      },
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
  { runId, createdAt, operation }: Pick<Plan, "runId" | "createdAt"> & Pick<Sample, "operation">,
): Plan {
  const environments = mostEnvironments(cells, samples, "cold");
  const warmEnvironments = mostEnvironments(cells, samples, "warm");
  const warmCalls = warmEnvironments === 0 ? 0 : 1;
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
    sizes: { environments, warmEnvironments, warmCalls, discardedCalls: 0 },
    blocks: [{ index: 0, trials: [] }],
    lanes: 1,
    timeoutSeconds: 900,
    warnings: [],
  };
}

/** Returns the number of environments with calls of a phase in the cell that has most of them. */
function mostEnvironments(
  cells: readonly Cell[],
  samples: readonly Sample[],
  phase: Sample["phase"],
): number {
  const counts = cells.map(({ id }) => {
    const own = samples.filter((sample) => sample.cell.id === id && sample.phase === phase);
    return new Set(own.map(({ block }) => block)).size;
  });
  return Math.max(0, ...counts);
}

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
