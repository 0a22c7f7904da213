import {
  type MeasuredSize,
  type SizeCriterion,
  sizeCriteria,
} from "../../lib/analysis/size-choice.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { listLooks, partOfSizeChoice } from "../../lib/plan/blocks.ts";
import { mean } from "../../lib/statistics/order-statistics.ts";
import {
  type Criterion,
  callsToDecide,
  callsWhereRare,
  raceSizes,
} from "../../lib/statistics/size-race.ts";
import { type Population, populations, uniform, walk } from "../interval-study/populations.ts";
import { line, percent } from "../interval-study/study-table.ts";

// Simulates runs that choose a memory size, for functions whose time and cost at each size are known.

/** A call's time at each size, ms, without the noise of environments and calls. */
export interface Workload {
  readonly id: string;
  readonly label: string;
  readonly ms: (memoryMb: number) => number;
  /** Additional time of some calls, ms, and its mean. @default none */
  readonly longer?: (memoryMb: number, random: SeededRandom) => number;
  readonly longerMean?: (memoryMb: number) => number;
  /** Whether each size drifts independently. @default false */
  readonly drifts?: true;
}

const sizes = [128, 256, 512, 1024, 1769, 3008] as const;
const oneCpu = (memoryMb: number) => 1769 / Math.min(memoryMb, 1769);

export const workloads: readonly Workload[] = [
  { id: "cpu", label: "computes in one thread", ms: (mb) => 200 * oneCpu(mb) },
  { id: "mixed", label: "waits 50 ms, computes 10 ms", ms: (mb) => 50 + 10 * oneCpu(mb) },
  { id: "waits", label: "waits 80 ms", ms: () => 80 },
  { id: "threads", label: "computes in two threads", ms: (mb) => 5 + 100 * (1769 / mb) },
  {
    id: "close-times",
    label: "takes 11% longer below 1,024 MB",
    ms: (mb) => (mb < 1024 ? 111 : 100),
  },
  {
    id: "close-costs",
    label: "costs 11% more at every size but 256 MB",
    ms: (mb) => (mb === 256 ? 100 : 111) * (256 / mb),
  },
];

const mixedMs = (mb: number) => 50 + 10 * oneCpu(mb);
const isSmall = (mb: number) => mb < 512;

/** Causes of wrong choices. Environments and calls also differ by 5%. */
export const troubles: readonly Workload[] = [
  {
    id: "retries",
    label: "waits 50 ms, computes 10 ms; below 512 MB 1 of 100 calls takes 2 s longer",
    ms: mixedMs,
    longer: (mb, random) => (isSmall(mb) && uniform(random) < 0.01 ? 2000 : 0),
    longerMean: (mb) => (isSmall(mb) ? 20 : 0),
  },
  {
    id: "all-retry",
    label: "the same at every size",
    ms: mixedMs,
    longer: (_, random) => (uniform(random) < 0.01 ? 2000 : 0),
    longerMean: () => 20,
  },
  {
    id: "own-drift",
    label: "waits 50 ms, computes 10 ms; each size drifts by itself: AR(1) 0.8 with 5% steps",
    ms: mixedMs,
    drifts: true,
  },
  {
    id: "close-drift",
    label: "takes 11% longer below 1,024 MB; each size drifts by itself",
    ms: (mb) => (mb < 1024 ? 111 : 100),
    drifts: true,
  },
  {
    id: "pauses",
    label: "waits 50 ms, computes 10 ms; from 1,024 MB a pause of 40 ms in 1 of 8 calls",
    ms: mixedMs,
    longer: (mb, random) => (mb >= 1024 && uniform(random) < 1 / 8 ? 40 : 0),
    longerMean: (mb) => (mb >= 1024 ? 5 : 0),
  },
];

/** The spreads of environments and calls. */
export const noises: readonly Population[] = populations;

/** Noise for the study of troubles: environments and calls differ by 5%. */
export const usualNoise = findNoise("log-normal");

function findNoise(wanted: string): Population {
  const found = noises.find(({ id }) => id === wanted);
  if (found === undefined) throw new RangeError(`no noise ${wanted}`);
  return found;
}

export interface SizeStudyOptions {
  readonly runs: number;
  readonly seed: number;
}

/** The rule's default, and the minimum and maximum number of environments per size. */
export const tolerance = 0.1;
const [least, most] = [6, 60];
/** Number of calls kept per environment. */
const warmCalls = 8;
const blocksToDecide = Math.ceil(callsToDecide / warmCalls);
const blocksWhereRare = Math.ceil(callsWhereRare / warmCalls);
const errorRate = 0.05;
const coldShare = 0.01;
/** Ratio of a cold call's time to a warm one's. */
const coldFactor = 5;

/** Results of the runs of a workload and a noise. */
export interface SizeRow {
  /** Shares of runs that chose a size more than the tolerance above the best. */
  readonly wrong: Readonly<Record<SizeCriterion, number>>;
  /** Share of choices still undecided with the maximum number of environments. */
  readonly open: number;
  /** Mean number of environments of a run. */
  readonly environments: number;
  /** Mean number of environments if every size is measured to the end of the run. */
  readonly environmentsOfAll: number;
}

export function sizeRow(
  workload: Workload,
  noise: Population,
  { runs, seed }: SizeStudyOptions,
): SizeRow {
  const random = new SeededRandom(seed);
  const looks = listLooks(least, most, partOfSizeChoice);
  const wrong = { cheapest: 0, fastest: 0, balanced: 0 };
  let [open, environments, blocks] = [0, 0, 0];
  for (let run = 0; run < runs; run += 1) {
    const criteria = measuredCriteria(workload, noise, random);
    const rule = { looks, blocksToDecide, blocksWhereRare, tolerance, errorRate };
    const { races, stints, isDecided } = raceSizes(criteria, rule);
    for (const { name, chosen } of races) {
      if (chosen === undefined) open += 1;
      else if (isWrong(workload, name, Number(chosen.id))) wrong[name] += 1;
    }
    const end = isDecided ? (stints.at(-1)?.from ?? 0) : most;
    blocks += end;
    environments += stints.reduce((sum, { from, ids }, index) => {
      const until = stints[index + 1]?.from ?? end;
      return sum + ids.length * (until - from);
    }, 0);
  }
  return {
    wrong: {
      cheapest: wrong.cheapest / runs,
      fastest: wrong.fastest / runs,
      balanced: wrong.balanced / runs,
    },
    open: open / (3 * runs),
    environments: environments / runs,
    environmentsOfAll: (sizes.length * blocks) / runs,
  };
}

/** Costs include only memory and time: a fee per request would bring them closer together. */
const costOf = (memoryMb: number, ms: number) => memoryMb * ms;

const truths: Readonly<Record<SizeCriterion, (memoryMb: number, ms: number) => number>> = {
  cheapest: costOf,
  fastest: (_, ms) => ms,
  balanced: (memoryMb, ms) => Math.sqrt(costOf(memoryMb, ms) * ms),
};

function isWrong(of: Workload, name: SizeCriterion, chosenMb: number): boolean {
  const { ms, longerMean = () => 0 } = of;
  const truth = (memoryMb: number) => truths[name](memoryMb, ms(memoryMb) + longerMean(memoryMb));
  const best = Math.min(...sizes.map(truth));
  // A value exactly at the tolerance is not above it.
  return truth(chosenMb) > best * (1 + tolerance) * (1 + 1e-12);
}

/** Simulates the maximum number of blocks of a run, as size criteria. */
function measuredCriteria(
  { ms, longer = () => 0, drifts }: Workload,
  noise: Population,
  random: SeededRandom,
): readonly Criterion<SizeCriterion>[] {
  const shared = noise.blockLogs(most, random);
  const measured = sizes.map((memoryMb): MeasuredSize => {
    const own = drifts ? walk(most, random) : [];
    const blocks = shared.map((level, block) => {
      const environmentLog = level + (own[block] ?? 0) + noise.environmentLog(random);
      const call = () =>
        ms(memoryMb) * Math.exp(environmentLog + noise.callLog(random)) + longer(memoryMb, random);
      const warm = Array.from({ length: warmCalls }, call);
      const meanMs = mean(warm) ?? Number.NaN;
      const cost = costOf(memoryMb, coldShare * coldFactor * call() + (1 - coldShare) * meanMs);
      return { meanMs, cost };
    });
    const byBlock = (figureOf: (block: (typeof blocks)[number]) => number) =>
      new Map(blocks.map((block, index) => [index, figureOf(block)]));
    return {
      id: String(memoryMb),
      memoryMb,
      usd: byBlock(({ cost }) => cost),
      meanMs: byBlock(({ meanMs }) => meanMs),
    };
  });
  return sizeCriteria(measured);
}

/** Options of the table published in docs/coverage.md. */
export const publishedSizes: SizeStudyOptions = { runs: 200, seed: 20_261_123 };

export const sizesHead: readonly string[] = [
  "| the function | noise | cheapest wrong | fastest wrong | balanced wrong | choices left open | environments | every size to the end | saved |",
  "| --- | --- | --: | --: | --: | --: | --: | --: | --: |",
];

/** One row per workload and noise, then one per trouble, as they are computed. */
export function* sizesRows(options: SizeStudyOptions): Generator<string> {
  for (const workload of workloads) {
    for (const noise of noises) yield sizesText(workload, noise, options);
  }
  for (const trouble of troubles) yield sizesText(trouble, usualNoise, options);
}

export function sizesText(
  workload: Workload,
  noise: Population,
  options: SizeStudyOptions,
): string {
  const { wrong, open, environments, environmentsOfAll } = sizeRow(workload, noise, options);
  const shares = [wrong.cheapest, wrong.fastest, wrong.balanced, open].map(percent);
  const counts = [environments, environmentsOfAll].map((value) => value.toFixed(0));
  const saved = percent(1 - environments / environmentsOfAll);
  return line([workload.label, noise.id, ...shares, ...counts, saved]);
}
