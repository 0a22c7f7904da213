import { InvalidInput } from "../contract/errors.ts";
import type {
  Cell,
  ImportedAverage,
  ImportedOrigin,
  Manifest,
  Plan,
  Sample,
} from "../contract/types/contract.ts";
import { describedFunction, type FunctionWords } from "./described-function.ts";
import { ImportedCells } from "./imported-cells.ts";
import { samplesOf } from "./imported-samples.ts";
import { importedExperiment } from "./imported-subject.ts";
import { type ReadSource, reasons } from "./source.ts";

/** What is known of an import besides its sources. */
export interface ImportStamp {
  readonly runId: string;
  readonly createdAt: string;
  /** Of the price table that the report uses. */
  readonly pricesDate: string;
  /** SHA-256 of the sources, in their order. */
  readonly sha256: readonly string[];
}

/** A run as one of our own is stored. */
export interface ImportedRun {
  readonly plan: Plan;
  readonly manifest: Omit<Manifest, "counts">;
  readonly samples: readonly Sample[];
}

const noRegion = "a region not recorded";

/**
 * The run that sources make together. Each invocation is one sample, and stands for an environment
 * of its own, by a block number that no other sample has; averages make no sample. Throws
 * InvalidInput where the sources do not say what a cell needs, or say another thing than the words.
 */
export function importedRun(
  sources: readonly ReadSource[],
  words: FunctionWords,
  stamp: ImportStamp,
): ImportedRun {
  requireOneKind(sources);
  const described = describedFunction(sources, words);
  const cells = new ImportedCells(described, words.memoryMb);
  const { runId, createdAt } = stamp;
  const { samples, repeated } = samplesOf(sources, cells, runId, described.operation);
  const averages = averagesOf(sources, cells);
  const { region, runtimeVersions, operation } = described;
  return {
    plan: planOf(cells.all(), samples, { runId, createdAt, operation }),
    manifest: {
      schemaVersion: 1,
      runId,
      experiment: importedExperiment,
      target: "imported",
      status: "complete",
      startedAt: createdAt,
      endedAt: createdAt,
      imported: originOf(sources, repeated, averages, stamp.sha256),
      cellFailures: [],
      artefacts: [],
      versions: runtimeVersions.length === 0 ? {} : { runtime: runtimeVersions.join(", ") },
      ...(region !== undefined && { region }),
      prices: { date: stamp.pricesDate, region: region ?? noRegion },
      warnings: sources.flatMap(({ warnings }) => warnings),
    },
    samples,
  };
}

/** An average beside samples would be read as one of them. */
function requireOneKind(sources: readonly ReadSource[]): void {
  const ofAverages = sources.find(({ averages }) => averages.length > 0);
  const ofSamples = sources.find(({ invocations }) => invocations.length > 0);
  if (ofAverages === undefined || ofSamples === undefined) return;
  throw new InvalidInput("source", ofAverages.name, `samples alone, as ${ofSamples.name} has`);
}

function averagesOf(
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

function originOf(
  sources: readonly ReadSource[],
  repeated: ReadonlyMap<ReadSource, number>,
  averages: readonly ImportedAverage[],
  sha256: readonly string[],
): ImportedOrigin {
  const all = sources.map((source, index) => {
    const twice = repeated.get(source) ?? 0;
    const notTaken = Object.fromEntries(source.notTaken);
    return {
      name: source.name,
      format: source.format,
      ...(sha256[index] !== undefined && { sha256: sha256[index] }),
      read: source.read,
      taken: source.invocations.length + source.averages.length - twice,
      notTaken: twice === 0 ? notTaken : { ...notTaken, [reasons.readBefore]: twice },
    };
  });
  return {
    temperature: "init-duration-alone",
    sources: all,
    ...(averages.length > 0 && { averages: [...averages] }),
  };
}

/** Nothing was planned: what a plan must say besides its cells is what was found, or nothing. */
function planOf(
  cells: readonly Cell[],
  samples: readonly Sample[],
  of: { readonly runId: string; readonly createdAt: string; readonly operation: string },
): Plan {
  const { runId, createdAt, operation } = of;
  const most = (phase: Sample["phase"]) =>
    Math.max(0, ...cells.map(({ id }) => countOf(samples, id, phase)));
  const warmEnvironments = most("warm");
  return {
    schemaVersion: 1,
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
    blocks: [{ index: 0, visits: [] }],
    lanes: 1,
    timeoutSeconds: 900,
    warnings: [],
  };
}

function countOf(samples: readonly Sample[], cellId: string, phase: Sample["phase"]): number {
  return samples.filter((sample) => sample.cell.id === cellId && sample.phase === phase).length;
}
