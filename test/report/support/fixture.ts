import { SeededRandom } from "../../../lib/contract/seeded-order.ts";
import type { Cell, Manifest, Plan, Sample } from "../../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../../lib/cost/prices.ts";
import { dynamodb } from "../../../lib/experiments/dynamodb/definition.ts";
import { expand, type RunChoice } from "../../../lib/plan/expand.ts";
import type { Experiment } from "../../../lib/plan/experiment.ts";
import { type MatrixChoice, matrix } from "../../../lib/plan/matrix.ts";
import type { ReportInputs } from "../../../lib/report/experiment-report.ts";

export interface FixtureChoice {
  readonly variants?: readonly string[];
  readonly memoryMb?: readonly number[];
  readonly architectures?: readonly ("arm64" | "x86_64")[];
  readonly target?: Plan["target"];
  readonly cold?: number;
  readonly warm?: number;
  readonly preset?: RunChoice["preset"];
  readonly experiment?: Experiment;
  /** Those of the warm calls; a test that tells none of them apart needs one. @default the experiment's */
  readonly operations?: readonly string[];
  readonly replica?: boolean;
  /** Between functions and service, of a local run. @default true */
  readonly network?: boolean;
}

/** A plan as the command line makes it. */
export function fixturePlan(choice: FixtureChoice = {}): Plan {
  const { experiment: chosen = dynamodb, operations: warmOperations = chosen.warmOperations } =
    choice;
  const experiment = { ...chosen, warmOperations };
  const wanted: MatrixChoice = {
    variants: choice.variants ?? experiment.variants.map((variant) => variant.id),
    memoryMb: choice.memoryMb ?? [128, 512, 1769],
    architectures: choice.architectures ?? ["arm64"],
  };
  const cells = matrix(experiment, wanted).filter(
    (cell) => choice.replica !== false || cell.replicaOf === undefined,
  );
  const target = choice.target ?? "fake";
  const { localNetwork } = experiment;
  const plan = expand(experiment, cells, {
    runId: "run-of-the-fixture",
    target,
    createdAt: "2026-11-01T08:00:00.000Z",
    seed: 7,
    preset: choice.preset ?? "quick",
    lanes: 1,
    ...(choice.cold !== undefined && { cold: choice.cold }),
    ...(choice.warm !== undefined && { warm: choice.warm }),
  });
  const hasNetwork = choice.network !== false && target === "local" && localNetwork !== undefined;
  return { ...plan, ...(hasNetwork && { network: localNetwork }) };
}

/** Every sample that the plan promises, kept or warm-up, made up but always the same. */
export function* fixtureSamples(plan: Plan): Generator<Sample> {
  const random = new SeededRandom(plan.seed);
  const cells = new Map(plan.cells.map((cell) => [cell.id, cell]));
  for (const block of plan.blocks) {
    for (const trial of block.trials) {
      const cell = cells.get(trial.cellId) as Cell;
      const bootId = `${cell.id}-${block.index}`;
      let sequence = 0;
      const next = (phase: Sample["phase"], operation: string, discarded = false): Sample =>
        sampleOf(
          plan,
          cell,
          { phase, operation, discarded, block: block.index, sequence: sequence++, bootId },
          random,
        );
      yield next("cold", plan.coldOperation);
      yield next("second", plan.coldOperation);
      for (const operation of trial.warmOrder) {
        for (let call = 0; call < plan.sizes.warmCalls; call += 1) {
          yield next("warm", operation, call < plan.sizes.discardedCalls);
        }
      }
    }
  }
}

interface Place {
  readonly phase: Sample["phase"];
  readonly operation: string;
  readonly discarded: boolean;
  readonly block: number;
  readonly sequence: number;
  readonly bootId: string;
}

const work: Readonly<Record<string, number>> = { get: 1, put: 1.15, query: 1.4, batch_write: 3 };
const speed: Readonly<
  Record<string, { init: number; first: number; warm: number; memory: number }>
> = {
  rust: { init: 60, first: 55, warm: 0.45, memory: 24 },
  "rust-tuned": { init: 22, first: 9, warm: 0.3, memory: 15 },
  python: { init: 300, first: 21, warm: 2.2, memory: 88 },
};

function sampleOf(plan: Plan, cell: Cell, place: Place, random: SeededRandom): Sample {
  const own = speed[cell.variant] ?? { init: 50, first: 20, warm: 1, memory: 50 };
  const share = Math.min(1, cell.memoryMb / 1769);
  const noise = () => 1 + 0.06 * (random.nextUint32() / 2 ** 32 - 0.4) ** 3 * 20;
  const units = place.phase === "cold" ? own.first : own.warm * (work[place.operation] ?? 1);
  const durationMs = rounded((2 + units / share) * noise());
  const init = place.phase === "cold" ? { initDurationMs: rounded(own.init * noise()) } : {};
  const billedDurationMs = Math.ceil(durationMs + (init.initDurationMs ?? 0));
  return {
    runId: plan.runId,
    experiment: plan.experiment,
    target: plan.target,
    cell,
    operation: place.operation,
    phase: place.phase,
    block: place.block,
    sequence: place.sequence,
    requestId: `${place.bootId}-${place.sequence}`,
    startedAt: "2026-11-01T08:00:01.000Z",
    clientLatencyMs: rounded(durationMs + 1.3),
    telemetry: {
      durationMs,
      billedDurationMs,
      memorySizeMb: cell.memoryMb,
      maxMemoryUsedMb: own.memory + Math.floor(noise() * 4),
      ...init,
    },
    result: {
      operation: place.operation,
      runtime: cell.variant === "python" ? "python" : "rust",
      runtimeVersion: "1.0.0",
      variant: cell.variant,
      durationMs: durationMs * 0.9,
      sdkCallMs: rounded(durationMs * 0.8),
      itemsCount: 1,
      bootId: place.bootId,
      coldStart: place.phase === "cold",
      invocation: place.sequence,
    },
    ...(place.discarded && { rejected: { reason: "warm-up" as const } }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export function fixtureManifest(plan: Plan): Omit<Manifest, "counts"> {
  const local = plan.target === "local";
  return {
    schemaVersion: 1,
    runId: plan.runId,
    experiment: plan.experiment,
    target: plan.target,
    status: "complete",
    startedAt: "2026-11-01T08:00:00.000Z",
    endedAt: "2026-11-01T08:04:30.000Z",
    cellFailures: [],
    artefacts: [
      {
        variant: "rust",
        architecture: "arm64",
        sha256: "a".repeat(64),
        sizeBytes: 14_200_000,
        zipBytes: 5_500_000,
        build: { profile: "release" },
      },
      {
        variant: "rust-tuned",
        architecture: "arm64",
        sha256: "b".repeat(64),
        sizeBytes: 5_280_000,
        zipBytes: 2_400_000,
        build: { profile: "tuned" },
      },
      { variant: "python", architecture: "arm64", zipBytes: 9_000 },
    ],
    versions: { kelvin: "0.1.0", node: "20.20.2", rust: "1.95.0", python: "3.13.1" },
    ...(plan.target === "aws" && { region: "ap-northeast-1" }),
    ...(local && {
      machine: {
        os: "Linux 6.1",
        cpuModel: "A processor",
        cpus: 2,
        memoryMb: 16_000,
        cpuQuota: "cgroup-v2" as const,
        memoryLimit: "cgroup-v2" as const,
        transport: "TLS 1.3 on loopback",
      },
      floor: {
        n: 200,
        environments: 6,
        durationMs: 0.33,
        durationLowMs: 0.31,
        durationHighMs: 0.36,
        initDurationMs: 4.2,
      },
      speed: { schemaVersion: 2 as const, handshakeMs: 0.2, interpreterMs: 5, allocationMs: 12 },
    }),
    prices: { date: publishedPrices.date, region: "us-east-1" },
    warnings: [],
  };
}

/** Parts of what renderReport takes that are not the fixture's. */
export interface Replaced extends Partial<Omit<ReportInputs, "manifest" | "samples" | "plan">> {
  readonly manifest?: Partial<Omit<Manifest, "counts">>;
  readonly samples?: Iterable<Sample>;
  /** What is in the place of each sample. */
  readonly each?: (sample: Sample) => Sample;
  readonly plan?: Partial<Plan>;
}

/** Everything that renderReport takes; any part may be replaced. */
export function fixtureInputs(choice: FixtureChoice = {}, replaced: Replaced = {}): ReportInputs {
  const plan = { ...fixturePlan(choice), ...replaced.plan };
  const { each, samples = fixtureSamples(plan), ...others } = replaced;
  return {
    ...{ subject: choice.experiment ?? dynamodb, prices: publishedPrices, ...others },
    plan,
    manifest: { ...fixtureManifest(plan), ...replaced.manifest },
    samples: streamed(samples, each),
  };
}

export async function* streamed<Item>(
  items: Iterable<Item>,
  each = (item: Item) => item,
): AsyncGenerator<Item> {
  for (const item of items) yield each(item);
}
