import type { CollectedSamples } from "../lib/analysis/collect-samples.ts";
import { compareVariants } from "../lib/analysis/comparisons.ts";
import { QualityCounts } from "../lib/analysis/quality-counts.ts";
import { SeededRandom } from "../lib/contract/seeded-order.ts";
import type { Plan } from "../lib/contract/types/contract.ts";
import { experiments } from "../lib/experiments/catalogue.ts";
import { expand } from "../lib/plan/expand.ts";
import type { Experiment } from "../lib/plan/experiment.ts";
import { matrix } from "../lib/plan/matrix.ts";
import { populations } from "./interval-study/populations.ts";

/** Time taken by the intervals and tests of an experiment's report. */
interface RatioTime {
  readonly experiment: string;
  /** Number of ratios, including the A/A pair's; each takes 10,000 draws. */
  readonly ratios: number;
  readonly cpuMs: number;
}

/** Times every ratio of every experiment's standard preset, all sizes, on synthetic samples. */
export function* ratioTimes(measured: readonly Experiment[] = experiments): Generator<RatioTime> {
  for (const experiment of measured) {
    const plan = standardPlan(experiment);
    const samples = madeUp(plan);
    const before = process.cpuUsage();
    const { variants, replicas } = compareVariants(plan, experiment.baselineVariant, samples);
    const { user, system } = process.cpuUsage(before);
    const ratios = variants.length + replicas.length;
    yield { experiment: experiment.id, ratios, cpuMs: (user + system) / 1000 };
  }
}

function standardPlan(experiment: Experiment): Plan {
  const variants = experiment.variants.map(({ id }) => id);
  const { memoryMb } = experiment;
  const cells = matrix(experiment, { variants, memoryMb, architectures: ["arm64"] });
  const run = { runId: "r", target: "aws", createdAt: "t", seed: 1, lanes: 1 } as const;
  return expand(experiment, cells, { ...run, preset: "standard" });
}

/** Returns synthetic samples: every quantity, CPU times included, has as many environments and calls as its phase. */
function madeUp({ sizes }: Plan): CollectedSamples {
  const random = new SeededRandom(1);
  const [population] = populations;
  if (population === undefined) throw new Error("no population to draw from");
  const kept = sizes.warmCalls - sizes.discardedCalls;
  const seriesOf = (environments: number, calls: number) => ({
    units: Array.from({ length: environments }, (_, block) => {
      const level = population.environmentLog(random);
      const call = () => Math.exp(level + population.callLog(random));
      return { block, values: Array.from({ length: calls }, call) };
    }),
  });
  const series = (_cell: string, _operation: string, phase: string) => ({
    series: () =>
      phase === "warm" ? seriesOf(sizes.warmEnvironments, kept) : seriesOf(sizes.environments, 1),
  });
  return { series, quality: new QualityCounts() } as unknown as CollectedSamples;
}

if (process.argv[1] === import.meta.filename) {
  const times = [...ratioTimes()];
  for (const { experiment, ratios, cpuMs } of times) {
    process.stdout.write(
      `${experiment}: ${ratios} ratios, ${(cpuMs / 1000).toFixed(2)} s of CPU\n`,
    );
  }
  const sum = (of: (time: RatioTime) => number) =>
    times.reduce((total, time) => total + of(time), 0);
  const seconds = (sum(({ cpuMs }) => cpuMs) / 1000).toFixed(2);
  process.stdout.write(`all: ${sum(({ ratios }) => ratios)} ratios, ${seconds} s of CPU\n`);
}
