import { adjustedInRun, withAdjusted } from "../../lib/analysis/family.ts";
import { ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { adjustedBySwaps } from "../../lib/statistics/block-swaps.ts";
import { environmentMeans, type Series } from "../../lib/statistics/series.ts";
import { designOf, designText, presets, quick, withShare } from "./designs.ts";
import { mishaps, type Population, populations } from "./populations.ts";
import {
  type Design,
  errorRate,
  measureInRun,
  type StudyOptions,
  sharesOfRounds,
} from "./simulated.ts";
import { chanceOf, comparisonsOfReport, isCalled } from "./study.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

/**
 * Reports of the primary comparisons of the quick preset of dynamodb on AWS, two variants and one baseline
 * at each of three sizes and six operations, all in the same blocks. Shares of reports, 0 to 1.
 */
interface FamilyRow {
  /** Reports without a difference that call anything faster or slower. */
  readonly byInterval: number;
  readonly afterCorrection: number;
  /** Reports without a difference in which the test detects anything after the correction. */
  readonly significant: number;
}

/** Number of primary comparisons in the quick preset of dynamodb: first, second and warm Duration. */
export const primaryOfReport = 36;

const variants = 2;

export function familyRow(
  population: Population,
  design: Design,
  comparisons: number,
  { rounds, draws, seed, testRounds }: StudyOptions & { readonly testRounds: number },
): FamilyRow {
  const shares = sharesOfRounds({ rounds, seed }, (random, round) => {
    const plan = { seed: round, target: "aws" } as const;
    const compared = makeReport(population, design, comparisons, 1, random).map(
      ([above, below], index) =>
        ratioOfSeries(above, below, { ...plan, seed: round * comparisons + index }, draws),
    );
    const family = compared.map((pair) => withVerdict(pair));
    const corrected = withAdjusted(family, adjustedInRun(plan, compared));
    return { byInterval: family.some(isCalled), afterCorrection: corrected.some(isCalled) };
  });
  return {
    ...shares,
    significant: anySignificant(population, design, comparisons, { rounds: testRounds, seed }),
  };
}

/** Returns the share of reports without a difference in which the test detects anything. No interval is needed. */
function anySignificant(
  population: Population,
  design: Design,
  comparisons: number,
  options: Pick<StudyOptions, "rounds" | "seed">,
): number {
  return sharesOfRounds(options, (random, round) => {
    const report = makeReport(population, design, comparisons, 1, random);
    return { any: adjustedOf(report, round).some((pValue = 1) => pValue < errorRate) };
  }).any;
}

function adjustedOf(report: readonly (readonly [Series, Series])[], seed: number) {
  const sides = report.map(([above, below]) => ({
    above: environmentMeans(above),
    below: environmentMeans(below),
  }));
  return adjustedBySwaps(sides, seed);
}

/** Simulates both sides of every comparison of a report; only the first comparison is shifted. */
function makeReport(
  population: Population,
  design: Design,
  comparisons: number,
  factor: number,
  random: SeededRandom,
): readonly (readonly [Series, Series])[] {
  const measure = measureInRun(population, design, random);
  return Array.from({ length: comparisons / variants }, (_, group) => {
    const baseline = measure(1, "baseline");
    return Array.from(
      { length: variants },
      (__, index) => [measure(group + index === 0 ? factor : 1, "variant"), baseline] as const,
    );
  }).flat();
}

/** Shares of reports, 0 to 1, in which the only difference is detected. */
interface OnlyRow {
  /** Detected by ranks, corrected for the number of all comparisons, with quick's former number of environments. */
  readonly before: number;
  /** The same with the current number of environments. */
  readonly byNumber: number;
  readonly bySwaps: number;
  /** Reports in which swaps detect anything else, although nothing else differs. */
  readonly anyOther: number;
}

/** The shift that the quick preset should detect. */
export const largeShift = 1.2;

/** Environments of the quick preset before decision 0040. */
export const environmentsBefore = 8;

export function onlyRow(
  population: Population,
  design: Design,
  options: Pick<StudyOptions, "rounds" | "seed">,
): OnlyRow {
  const earlier = { ...design, environments: environmentsBefore };
  return sharesOfRounds(options, (random, round) => {
    const report = makeReport(population, design, primaryOfReport, largeShift, random);
    const [bySwaps = 1, ...others] = adjustedOf(report, round);
    return {
      before: isFirstFound(makeReport(population, earlier, variants, largeShift, random)),
      byNumber: isFirstFound(report),
      bySwaps: bySwaps < errorRate,
      anyOther: others.some((pValue = 1) => pValue < errorRate),
    };
  });
}

/** Returns whether ranks, corrected for the number of all comparisons, detect the first comparison of a report. */
function isFirstFound([first]: readonly (readonly [Series, Series])[]): boolean {
  if (first === undefined) throw new RangeError("no comparison");
  return chanceOf(...first) < errorRate / comparisonsOfReport;
}

/** Fewer rounds: a report with many comparisons takes longer than an interval. */
const fewerRounds = {
  families: { quick: 0.1, standard: 0.075 },
  familyTests: { quick: 1, standard: 0.075 },
  only: 0.5,
} as const;

/** Tables of whole reports. */
export const reportTables: readonly StudyTable[] = [
  studyTable(
    "families",
    ["population", "measured"],
    [
      "called, by the intervals alone",
      "called after the correction",
      "told apart after the correction",
    ],
    familyRows,
  ),
  studyTable(
    "only",
    ["population", "measured"],
    [
      `20% shift, the only one of ${comparisonsOfReport}: ranks, corrected by number, ${environmentsBefore} environments`,
      `the same, ${quick.environments} environments`,
      "the same: swaps of blocks",
      "anything else told apart: swaps of blocks",
    ],
    onlyRows,
  ),
];

/** Rows of every population and mishap, as whole reports without a difference. */
function* familyRows(options: StudyOptions): Generator<string> {
  for (const population of [...populations, ...mishaps]) {
    for (const size of mishaps.includes(population) ? (["quick"] as const) : presets) {
      const design = designOf(size, "cold");
      const row = familyRow(population, design, primaryOfReport, {
        ...withShare(options, fewerRounds.families[size]),
        testRounds: withShare(options, fewerRounds.familyTests[size]).rounds,
      });
      const shares = [row.byInterval, row.afterCorrection, row.significant].map(percent);
      yield line([population.id, designText(design), ...shares]);
    }
  }
}

/** Rows of every population and mishap, as reports of the quick preset with one difference. */
function* onlyRows(options: StudyOptions): Generator<string> {
  const design = designOf("quick", "cold");
  for (const population of [...populations, ...mishaps]) {
    const row = onlyRow(population, design, withShare(options, fewerRounds.only));
    const shares = [row.before, row.byNumber, row.bySwaps, row.anyOther].map(percent);
    yield line([population.id, designText(design), ...shares]);
  }
}
