import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { importRun } from "../../bin/commands/import.ts";
import type { Progress } from "../../bin/progress.ts";
import { costBasis } from "../../bin/run/cost-basis.ts";
import { stoppingLooks } from "../../bin/run/stopping-looks.ts";
import { writeReport } from "../../bin/run/write-report.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Limit, Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { compute } from "../../lib/experiments/compute/definition.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { dynamodbBatch } from "../../lib/experiments/dynamodb-batch/definition.ts";
import { sha256 } from "../../lib/experiments/sha256/definition.ts";
import { DiskRecorder, DiskResultStore, earlierTrials } from "../../lib/local/disk-result-store.ts";
import { functionsExperimentId, functionsTitle } from "../../lib/plan/functions-subject.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import {
  engineManifest,
  enginePlan,
  engineSamples,
} from "../../studies/emulators/test/support/engine-fixture.ts";
import { firstRequestPlan, firstRequestSamples } from "../report/support/first-request-fixture.ts";
import {
  type FixtureChoice,
  fixtureManifest,
  fixturePlan,
  fixtureSamples,
} from "../report/support/fixture.ts";
import { multicorePlan, multicoreSamples } from "../report/support/multicore-fixture.ts";
import { s3FanoutPlan, s3FanoutSamples } from "../report/support/s3-fanout-fixture.ts";
import { FakeTarget, type Script } from "../support/fake-target.ts";
import { formatReport } from "../support/report-line.ts";
import { smallPlan } from "../support/small-plan.ts";

// Makes the stored runs of the baseline. They are made once: what they hold is fixed by the files in stored/.

const folder = mkdtempSync(join(tmpdir(), "kelvin-baseline-"));
const local = { target: "local", preset: "quick" } as const;

type Changed = (sample: Sample) => Sample;

/** Multiplies an environment's times by a factor of its own, and every call's by another. */
function noisy(seed: number, spread: number, factorOf: (sample: Sample) => number = () => 1) {
  const random = new SeededRandom(seed);
  const uniform = () => random.nextUint32() / 2 ** 32;
  const environments = new Map<string, number>();
  return (sample: Sample): Sample => {
    const { telemetry, cell, block } = sample;
    if (telemetry === undefined) return sample;
    const key = `${cell.id}-${block}`;
    const own = environments.get(key) ?? Math.exp(spread * (uniform() + uniform() - 1));
    environments.set(key, own);
    const factor = own * Math.exp((spread / 2) * (uniform() - 0.5)) * factorOf(sample);
    const times = (ms: number) => Math.round(100 * ms * factor) / 100;
    const durationMs = times(telemetry.durationMs);
    const initDurationMs = telemetry.initDurationMs && times(telemetry.initDurationMs);
    return {
      ...sample,
      telemetry: {
        ...telemetry,
        durationMs,
        billedDurationMs: Math.ceil(durationMs + (initDurationMs ?? 0)),
        ...(initDurationMs !== undefined && { initDurationMs }),
      },
    };
  };
}

async function store(
  name: string,
  plan: Plan,
  samples: Iterable<Sample>,
  {
    each = (sample) => sample,
    manifest = {},
  }: { each?: Changed; manifest?: Partial<Manifest> } = {},
) {
  const result = new DiskResultStore(join(folder, name));
  await result.writeText("plan.json", JSON.stringify(plan));
  const recorder = new DiskRecorder(result);
  for (const sample of samples) await recorder.sample(each(sample));
  const whole = { ...fixtureManifest(plan), ...manifest };
  await writeReport({ store: result, plan, manifest: whole, costs: costBasis({}) });
}

const machine = { schemaVersion: 2, handshakeMs: 0.2, interpreterMs: 5, allocationMs: 12 } as const;
const changing: Partial<Manifest> = {
  noise: {
    intervals: [1, 1.9].map((factor, block) => ({
      ...{ block, seconds: 10, otherCpus: 0.02, stolenCpus: 0, load: 0.4 },
      speed: { ...machine, interpreterMs: 5 * factor, handshakeMs: 0.2 * factor },
    })),
  },
};

const own = (names: readonly string[]): FixtureChoice => ({
  ...{ ...local, operations: ["get"], replica: false },
  experiment: {
    ...{ ...dynamodb, ...functionsTitle(names), baselineVariant: names[0] ?? "" },
    variants: names.map((id) => {
      const [first] = dynamodb.variants.filter((variant) => variant.id === "rust-tuned");
      return { ...(first as (typeof dynamodb.variants)[number]), id, label: id };
    }),
  },
});
const ownPlan = (
  names: readonly string[],
  choice: FixtureChoice,
  limits: readonly string[] = [],
): Plan => ({
  ...fixturePlan({ ...own(names), ...choice }),
  ...{ experiment: functionsExperimentId, ownResults: true, requests: { get: { event: {} } } },
  ...(limits.length > 0 && { limits: limits.map(parseLimit) as Limit[] }),
});
const isCold = ({ phase }: Sample) => phase === "cold";

async function variants() {
  const plan = fixturePlan({ ...local, memoryMb: [128, 1769], operations: ["get", "query"] });
  await store("variants", plan, fixtureSamples(plan), { each: noisy(11, 0.1), manifest: changing });
}

async function experiments() {
  const few = { cold: 4, warm: 16 };
  const ofFixture = (experiment: typeof compute) =>
    fixturePlan({ ...local, ...few, experiment, memoryMb: [128, 1769], replica: false });
  const answered: Changed = (sample) => {
    const expected = { ...dynamodbBatch.requests, ...sha256.requests }[sample.operation]?.expected;
    return { ...sample, result: { ...(sample.result as object), ...expected } };
  };
  for (const experiment of [dynamodb, dynamodbBatch, sha256, compute]) {
    const plan = ofFixture(experiment);
    const each = noisy(12, 0.15);
    await store(`experiments/${experiment.id}`, plan, fixtureSamples(plan), {
      each: (sample) => answered(each(sample)),
    });
  }
  const first = firstRequestPlan({ ...few, memoryMb: [128] });
  await store("experiments/first-request", first, firstRequestSamples(first));
  const cores = multicorePlan({ ...few, memoryMb: [1536, 4096] });
  await store("experiments/multicore", cores, multicoreSamples(cores));
  const fanout = s3FanoutPlan({ ...few, memoryMb: [128, 3008] });
  await store("experiments/s3-fanout", fanout, s3FanoutSamples(fanout));
}

async function emulators() {
  const plan = enginePlan(4);
  await store("emulators", plan, engineSamples(plan), { manifest: engineManifest(plan) });
}

/** One function at four sizes; 512 MB loses calls, and one environment at 1,769 MB is replaced. */
async function sizes() {
  const limits = ["cold.mean < 100 ms", "warm.mean < 2.6 ms", "warm.p95 < 50 ms", "memory < 64 MB"];
  const plan = ownPlan(["resize"], { memoryMb: [128, 256, 512, 1769] }, limits);
  const each = noisy(13, 0.2);
  await store("sizes", plan, fixtureSamples(plan), {
    each: (sample): Sample => {
      const { cell, block, sequence } = sample;
      const changed = each(sample);
      if (cell.memoryMb === 512 && block === 3 && sequence > 6) {
        const { result: _, ...without } = changed;
        const error = { type: "Runtime.ExitError", message: "signal: killed" };
        return { ...without, error, rejected: { reason: "error" } };
      }
      const isReplaced = cell.memoryMb === 1769 && block === 5 && sequence === 4;
      return isReplaced ? { ...changed, rejected: { reason: "boot-id-changed" } } : changed;
    },
  });
}

/** Two builds: head starts later and answers about as fast; at 512 MB much noise. */
async function builds() {
  const limits = ["cold.mean < 80 ms", "warm.mean < 20 ms"];
  const plan = ownPlan(["base", "head"], { memoryMb: [128, 512, 1769] }, limits);
  const calm = noisy(14, 0.05, (sample) =>
    sample.cell.variant === "head" ? (isCold(sample) ? 1.3 : 1.01) : 1,
  );
  const wild = noisy(15, 0.8, (sample) => (sample.cell.variant === "head" ? 0.9 : 1));
  await store("builds", plan, fixtureSamples(plan), {
    each: (sample) => (sample.cell.memoryMb === 512 ? wild(sample) : calm(sample)),
    manifest: changing,
  });
}

/** A cold start of head in three is rejected, and one call in ten is wrong at 128 MB. */
async function failing() {
  const plan = ownPlan(["base", "head"], { memoryMb: [128, 512] });
  const each = noisy(16, 0.05);
  await store("failing", plan, fixtureSamples(plan), {
    each: (sample): Sample => {
      const { cell, block, sequence } = sample;
      const changed = each(sample);
      if (cell.variant !== "head") return changed;
      if (isCold(sample) && block % 3 === 0) {
        const { initDurationMs: _, ...telemetry } = changed.telemetry ?? { durationMs: 0 };
        return { ...changed, telemetry, rejected: { reason: "init-missing" } };
      }
      const isWrong = cell.memoryMb === 128 && sequence % 10 === 9;
      return isWrong ? { ...changed, rejected: { reason: "result-wrong" } } : changed;
    },
  });
}

/** The same functions on both architectures on AWS, until ratios are precise. */
async function architectures() {
  const plan = fixturePlan({
    ...{ target: "aws", preset: "quick", memoryMb: [512], operations: ["get"], replica: false },
    architectures: ["arm64", "x86_64"],
    variants: ["rust", "python"],
  });
  const each = noisy(17, 0.12, ({ cell }) => (cell.architecture === "arm64" ? 1.2 : 1));
  const stopped: Plan = {
    ...plan,
    stopping: {
      untilPrecision: 0.1,
      maxSamples: 10_000,
      maxMinutes: 30,
      mostBlocksBy: "largestPlan",
    },
  };
  const look = {
    blocks: 9,
    minutes: 4,
    ratios: 6,
    wide: 2,
    widest: 0.12,
    endedBy: "largestPlan",
  } as const;
  await store("architectures", stopped, fixtureSamples(plan), {
    each,
    manifest: { stopping: look },
  });
}

/** A run that chose among four sizes. */
async function auto() {
  const sizeChoice = { coldShare: 0.01, gbSecondUsd: 0.0000133334, requestUsd: 0.0000002 };
  const stopping = { untilPrecision: 0.1, sizeChoice, maxMinutes: 600 };
  const choice = { cold: 6, warm: 48, variants: ["python"], memoryMb: [128, 256, 512, 1024] };
  const planned = smallPlan({ ...choice, operations: ["get"], stopping });
  const cells = planned.cells.filter(({ replicaOf }) => replicaOf === undefined);
  const blocks = planned.blocks.map(({ index, trials }) => ({
    index,
    trials: trials.filter(({ cellId }) => cells.some(({ id }) => id === cellId)),
  }));
  const plan: Plan = { ...planned, cells, blocks };
  const ms: Readonly<Record<number, number>> = { 128: 900, 256: 1000, 512: 500, 1024: 490 };
  const script: Script = ({ cell, boot }, { telemetry, ...answer }) => {
    const random = new SeededRandom(cell.memoryMb + 104_729 * boot);
    const factor = 1 + 0.3 * (random.nextUint32() / 2 ** 32 - 0.5);
    const durationMs = (ms[cell.memoryMb] ?? 0) * factor;
    if (telemetry === undefined) return answer;
    return {
      ...answer,
      telemetry: { ...telemetry, durationMs, billedDurationMs: Math.ceil(durationMs) },
    };
  };
  const result = new DiskResultStore(join(folder, "auto"));
  await result.writeText("plan.json", JSON.stringify(plan));
  const earlier = await earlierTrials(result, plan);
  const progress = { say: () => undefined } as unknown as Progress;
  const looks = stoppingLooks(plan, {
    experiment: dynamodb,
    store: result,
    earlier,
    progress,
    clockMs: () => 0,
  });
  const { afterBlock, skips } = looks;
  await runPlan(plan, new FakeTarget(script), new DiskRecorder(result), {
    earlier: earlier.find,
    afterBlock,
    skips,
  });
  const look = looks.last();
  const manifest = { ...fixtureManifest(plan), ...(look !== undefined && { stopping: look }) };
  await writeReport({ store: result, plan, manifest, costs: costBasis({}) });
}

/** A log of two functions' environments, some of whose calls time out. */
async function imported() {
  const random = new SeededRandom(18);
  const lines = Array.from({ length: 160 }, (_, index) => {
    const isFirst = index % 8 === 0;
    const durationMs =
      Math.round(100 * (10 + 8 * (random.nextUint32() / 2 ** 32)) * (isFirst ? 9 : 1)) / 100;
    const init = isFirst ? { initDurationMs: 300 + (index % 50) } : {};
    const billedDurationMs = Math.ceil(durationMs + (init.initDurationMs ?? 0));
    const failed = index % 53 === 52 ? { status: "timeout" as const } : {};
    const telemetry = { durationMs, billedDurationMs, memorySizeMb: 512, maxMemoryUsedMb: 90 };
    return formatReport(`request-${index}`, { ...telemetry, ...init, ...failed });
  });
  const log = join(folder, "calls.log");
  writeFileSync(log, lines.join("\n"));
  await importRun([log], {
    ...{ variant: "checkout", architecture: "arm64", region: "eu-west-1" },
    out: join(folder, "imported"),
  });
}

/** Two runs of one function: the later one answers 1.4 times as long at 128 MB. */
async function twoRuns() {
  for (const [name, seed, factor] of [
    ["before", 19, 1],
    ["after", 20, 1.4],
  ] as const) {
    const plan = { ...ownPlan(["resize"], { memoryMb: [128, 512] }), runId: `run-${name}` };
    const each = noisy(seed, 0.1, ({ cell, phase }) =>
      cell.memoryMb === 128 && phase === "warm" ? factor : 1,
    );
    await store(name, plan, fixtureSamples(plan), {
      each,
      manifest: { startedAt: `2026-11-0${seed - 18}T08:00:00.000Z`, ...(seed === 20 && changing) },
    });
  }
}

for (const make of [
  variants,
  experiments,
  emulators,
  sizes,
  builds,
  failing,
  architectures,
  auto,
  imported,
  twoRuns,
])
  await make();

const runs = join(import.meta.dirname, "stored");
mkdirSync(runs, { recursive: true });
const isKept = (path: string) => /^(?:.*\/)?(?:plan\.json|manifest\.json|samples\/.*)$/.test(path);
for (const name of readdirSync(folder, { withFileTypes: true }).filter((each) =>
  each.isDirectory(),
)) {
  const place = join(folder, name.name);
  const files = readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(place.length + 1))
    .filter(isKept)
    .sort();
  const texts = Object.fromEntries(
    files.map((path) => [path, readFileSync(join(place, path), "utf8")]),
  );
  writeFileSync(join(runs, `${name.name}.json.gz`), gzipSync(JSON.stringify(texts), { level: 9 }));
}
rmSync(folder, { recursive: true });
