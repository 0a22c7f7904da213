import type { Manifest, Plan, Sample } from "../../../../lib/contract/types/contract.ts";
import type { RenderedReport } from "../../../../lib/report/experiment-report.ts";
import { emulators, pipelines, studyPlan } from "../../definition.ts";
import type { EngineView } from "../../figures.ts";
import { renderEngineReport } from "../../report.ts";
import type { EngineResult, MicroBenchmarks } from "../../types/contract.ts";

/** Milliseconds of one request, and of a start-up a thousand of them. */
export const requestMs: Readonly<Record<string, number>> = {
  "dynoxide-embedded": 0.1,
  "dynoxide-http": 1,
  "dynamodb-local": 4,
  "dynamodb-local-warm": 2,
  dynalite: 8,
  "dynoxide-http-file": 1,
};

export function enginePlan(rounds = 6, ids = Object.keys(requestMs)): Plan {
  return studyPlan(emulators, {
    runId: "20260102T0304Z-a1b2c3",
    createdAt: "2026-01-02T03:04:05.000Z",
    seed: 3,
    preset: "quick",
    rounds,
    engines: emulators.engines.filter(({ id }) => ids.includes(id)),
    architecture: "x86_64",
    memoryMb: 8192,
    leftOut: ["LocalStack: no localstack on PATH"],
  });
}

/** Samples of made-up engines: every request takes its engine's time, give or take a thousandth a round. */
export function engineSamples(plan: Plan): Sample[] {
  return plan.blocks.flatMap(({ index, trials }) =>
    trials.flatMap(({ cellId, warmOrder }): Sample[] => {
      const cell = plan.cells.find(({ id }) => id === cellId);
      if (cell === undefined) throw new Error(`no cell ${cellId}`);
      const ms = (requestMs[cellId] ?? 1) * (1 + index / 1000);
      return ["list_tables", "list_tables", ...warmOrder].map((operation, sequence): Sample => {
        const isPipeline = pipelines.some((name) => name === operation);
        const requests = isPipeline ? 50 : 100;
        const result: EngineResult = {
          operation,
          variant: cellId,
          durationMs: ms * requests,
          latenciesMs: Array(requests).fill(ms),
          itemsCount: 100,
          wrongAnswers: 0,
          memoryUsedKb: 1024 * (sequence + 10),
          ...(cellId === "dynoxide-http-file" && { diskBytes: 12_345 * 10 ** (sequence - 1) }),
          ...(operation === "fidelity" && {
            fidelity: [
              {
                behaviour: "a batch of 26 writes",
                expected: "ValidationException",
                ...answerOf(cellId),
              },
            ],
          }),
          bootId: `${cellId}-${index}-0123456789abcdef`,
          coldStart: sequence === 0,
          invocation: sequence,
        };
        return {
          runId: plan.runId,
          experiment: plan.experiment,
          target: "local",
          cell,
          operation,
          phase: sequence === 0 ? "cold" : sequence === 1 ? "second" : "warm",
          block: index,
          sequence,
          startedAt: plan.createdAt,
          telemetry: {
            durationMs: result.durationMs,
            ...(sequence === 0 && { initDurationMs: ms * 1000 }),
          },
          result,
        };
      });
    }),
  );
}

function answerOf(cellId: string) {
  return cellId === "dynalite"
    ? { found: "accepted", agrees: false }
    : { found: "ValidationException", agrees: true };
}

export function engineManifest(plan: Plan): Omit<Manifest, "counts"> {
  return {
    schemaVersion: 1,
    runId: plan.runId,
    experiment: plan.experiment,
    target: "local",
    status: "complete",
    startedAt: plan.createdAt,
    endedAt: plan.createdAt,
    cellFailures: [],
    artefacts: [
      {
        variant: "dynalite",
        architecture: "x86_64",
        sizeBytes: 9_700_000,
        build: { version: "4.0.0" },
      },
    ],
    versions: { "dynoxide-rs": "3.2.0" },
    prices: { date: "2026-01-01", region: "us-east-1" },
    warnings: [],
  };
}

export async function engineReport(
  plan: Plan,
  samples: readonly Sample[],
  manifest = engineManifest(plan),
  micro?: MicroBenchmarks,
): Promise<{ readonly rendered: RenderedReport; readonly view: EngineView }> {
  const rendered = await renderEngineReport({
    plan,
    manifest,
    samples: (async function* () {
      yield* samples;
    })(),
    ...(micro !== undefined && { micro }),
  });
  return { rendered, view: JSON.parse(rendered.files["summary.json"] ?? "") };
}
