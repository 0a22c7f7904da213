import { exclusionBy, isForeign } from "../../lib/analysis/exclusion.ts";
import { QualityCounts } from "../../lib/analysis/quality-counts.ts";
import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import type { Series, Unit } from "../../lib/statistics/series.ts";
import type { Behaviour, EngineResult } from "./types/contract.ts";

/** Results of one operation of one engine over its rounds. */
export interface CollectedOperation {
  /** Durations of the requests, ms; one unit per round. */
  readonly requests: Series;
  /** Durations of the whole operation, ms. */
  readonly totals: Series;
  /** Resident set of the engine after the operation, KB. */
  readonly memoryKb: Series;
  /** Size of its table files after the operation; empty if it keeps tables in memory. */
  readonly diskBytes: Series;
  /** Wrong answers: their number, the first one, and the number of rounds rejected for them. */
  readonly wrong?: { readonly answers: number; readonly first: string; readonly rounds: number };
}

/** An engine's samples, reduced to what the report needs. */
interface CollectedEngine {
  /** Times from the start of the process to its first answer, ms. */
  readonly startups: Series;
  operation(name: string): CollectedOperation;
  readonly fidelity: readonly Behaviour[];
}

export interface CollectedEngines {
  readonly quality: QualityCounts;
  engine(cellId: string): CollectedEngine;
}

interface GrowingSeries extends Series {
  readonly units: Unit[];
}

class Operation implements CollectedOperation {
  readonly requests: GrowingSeries = { units: [] };
  readonly totals: GrowingSeries = { units: [] };
  readonly memoryKb: GrowingSeries = { units: [] };
  readonly diskBytes: GrowingSeries = { units: [] };
  wrong?: { answers: number; first: string; rounds: number };

  add({ block }: Sample, { latenciesMs, durationMs, ...used }: EngineResult): void {
    this.requests.units.push({ block, values: latenciesMs });
    this.totals.units.push({ block, values: [durationMs] });
    const { memoryUsedKb, diskBytes } = used;
    if (memoryUsedKb !== undefined) this.memoryKb.units.push({ block, values: [memoryUsedKb] });
    if (diskBytes !== undefined) this.diskBytes.units.push({ block, values: [diskBytes] });
  }

  addWrong({ wrongAnswers, wrongAnswer = "" }: EngineResult): void {
    const { answers = 0, first = wrongAnswer, rounds = 0 } = this.wrong ?? {};
    this.wrong = { answers: answers + wrongAnswers, first, rounds: rounds + 1 };
  }
}

class Engine implements CollectedEngine {
  readonly startups: GrowingSeries = { units: [] };
  readonly #operations = new Map<string, Operation>();
  fidelity: readonly Behaviour[] = [];

  operation(name: string): Operation {
    const found = this.#operations.get(name) ?? new Operation();
    this.#operations.set(name, found);
    return found;
  }

  add(sample: Sample): void {
    const result = sample.result as EngineResult | undefined;
    if (result === undefined) return;
    const startupMs = sample.telemetry?.initDurationMs;
    if (sample.phase === "cold" && startupMs !== undefined && sample.rejected === undefined) {
      this.startups.units.push({ block: sample.block, values: [startupMs] });
    }
    // The first request is part of the start; the operation is measured at the next one, on an idle engine.
    if (sample.phase === "cold") return;
    if (sample.rejected === undefined) {
      this.operation(sample.operation).add(sample, result);
      if (result.fidelity !== undefined) this.fidelity = result.fidelity;
    } else if (sample.rejected.reason === "result-wrong") {
      this.operation(sample.operation).addWrong(result);
    }
  }
}

/** Reads every sample once. Samples of another run are only counted. */
export async function collectEngines(
  plan: Plan,
  samples: AsyncIterable<Sample>,
): Promise<CollectedEngines> {
  const quality = new QualityCounts();
  const engines = new Map(plan.cells.map(({ id }) => [id, new Engine()]));
  const exclusion = exclusionBy(plan);
  for await (const sample of samples) {
    const engine = engines.get(sample.cell.id);
    const reason = exclusion(sample);
    quality.add(sample, reason, sample.flags ?? []);
    if (!isForeign(reason)) engine?.add(sample);
  }
  return { quality, engine: (cellId) => engines.get(cellId) ?? new Engine() };
}

/** The baselines: a short test run uses a cold JVM, a long one a warm JVM. */
export const coldBaseline = "dynamodb-local";
export const warmBaseline = "dynamodb-local-warm";

/** Engines with tables in files: only their file sizes and memory are reported, and they are not compared. */
export const enginesInFiles: readonly string[] = [
  "dynoxide-http-file",
  "dynamodb-local-file",
  "dynalite-file",
];
