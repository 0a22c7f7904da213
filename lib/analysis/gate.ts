import { type LostReason, lostReasons } from "../contract/exclusion-reasons.ts";
import type { Manifest } from "../contract/types/contract.ts";
import type { Comparison, Comparisons } from "./comparisons.ts";
import { isSameArchitecture } from "./factor-pairs.ts";
import { primaryOnly } from "./family.ts";
import type { Compared } from "./series-ratio.ts";
import type { Unsound } from "./standing.ts";

/** A comparison that a gate judges. */
export interface Gated extends Compared {
  readonly descriptive?: true;
  readonly quantity?: string;
  readonly unsound?: Unsound;
}

/** A gate's findings: slower comparisons, undecided ones, and those that could not be made. */
export interface GateFinding<Each extends Gated = Gated> {
  /** The relative difference that matters. */
  readonly margin: number;
  /** Number of primary comparisons, 0 if one function was measured alone. */
  readonly comparisons: number;
  /** The share of environments that may all be slow, and none of them measured: see unseenShare. */
  readonly unseenShare: number;
  /** The verdicts of all of them. */
  readonly verdicts: readonly Each["verdict"][];
  readonly slower: readonly Each[];
  readonly undecided: readonly Each[];
  /** Comparisons that are neither slower nor proven not to be: see isProvenNotSlower. */
  readonly notProven: readonly Each[];
  /** Comparisons with too few environments on a side for an interval. */
  readonly tooFew: readonly Each[];
  /** Comparisons without a ratio, since a side's mean is 0. */
  readonly withoutRatio: readonly Each[];
  /** Comparisons with a figure that is not a number, though both sides were measured. */
  readonly withoutFigures: readonly Each[];
  /** Comparisons with a side whose calls may not be compared. */
  readonly unsound: readonly Each[];
  /** Calls of runs, not of imported logs, that were excluded, by reason: see lostCalls. */
  readonly lost: readonly LostCalls[];
  /** Calls that were planned and are not in the data. */
  readonly missingCalls: number;
  /** Trials that could not be started or finished. */
  readonly failedTrials: number;
  /** Runs that ended before they were complete, though no trial failed. */
  readonly partialRuns: number;
  /** Cells and operations that only one of two runs has. */
  readonly unshared: readonly string[];
}

export interface LostCalls {
  readonly reason: LostReason;
  readonly calls: number;
}

/**
 * Counts calls of runs that answered wrongly, failed, did not report or had a failed Init: a build that makes such
 * calls is not fast.
 */
export function lostCalls(
  ...counts: readonly Pick<Manifest["counts"], "rejected" | "initTimeouts">[]
): readonly LostCalls[] {
  return lostReasons.flatMap((reason) => {
    const calls = counts.reduce((sum, { rejected, initTimeouts = 0 }) => {
      const notLost = reason === "init-repeated" ? initTimeouts : 0;
      return sum + (rejected[reason] ?? 0) - notLost;
    }, 0);
    return calls === 0 ? [] : [{ reason, calls }];
  });
}

type GatedManifest = Pick<Manifest, "target" | "status" | "cellFailures"> & {
  readonly counts: Pick<Manifest["counts"], "planned" | "recorded" | "rejected" | "initTimeouts">;
};

interface GateInputs<Each extends Gated> {
  readonly comparisons: readonly Each[];
  readonly margin: number;
  /** One for each run that was compared. */
  readonly manifests: readonly GatedManifest[];
  /** @default nothing: the comparisons are of one run */
  readonly unshared?: readonly string[];
}

/**
 * gatedComparisons returns the comparisons that a gate judges: each function against the first, and each with
 * `differsFrom` against the one that it names. arm64 is judged against x86_64 only if the run compares nothing else:
 * with two builds, the architectures differ by something that neither build has changed.
 */
export function gatedComparisons({ variants, factors = [] }: Comparisons): readonly Comparison[] {
  const ofFunctions = factors.filter(({ cell, baselineCell }) =>
    isSameArchitecture(cell, baselineCell),
  );
  const judged = [...variants, ...ofFunctions];
  return judged.length > 0 ? judged : factors;
}

/** gateFinding judges the primary comparisons. Of imported logs, it counts the lost calls of compared cells alone. */
export function gateFinding<Each extends Gated>({
  comparisons,
  margin,
  manifests,
  unshared = [],
}: GateInputs<Each>): GateFinding<Each> {
  const judged = primaryOnly(comparisons);
  const isTooFew = ({ undecidedReason }: Each) => undecidedReason === "too-few";
  const isWithoutRatio = ({ undecidedReason }: Each) => undecidedReason === "not-positive";
  const others = judged.filter((each) => !isTooFew(each) && !isWithoutRatio(each));
  const sound = others.filter(hasFigures);
  const slower = sound.filter(({ verdict }) => verdict === "slower");
  return {
    margin,
    comparisons: judged.length,
    unseenShare: unseenShare(judged),
    verdicts: judged.map(({ verdict }) => verdict),
    slower,
    undecided: sound.filter(({ verdict }) => verdict === "undecided"),
    notProven: sound.filter((each) => !slower.includes(each) && !isProvenNotSlower(each, margin)),
    tooFew: judged.filter(isTooFew),
    withoutRatio: comparisons.filter((each) => isWithoutRatio(each) && isOfDuration(each)),
    withoutFigures: others.filter((each) => !hasFigures(each)),
    unsound: judged.filter(({ unsound }) => unsound !== undefined),
    ...lossesOf(manifests.filter(({ target }) => target !== "imported")),
    unshared,
  };
}

/**
 * Returns the largest share of environments of which a side may have drawn none, with a probability of 5%: by the exact
 * binomial bound of no event in n, 1 - 0.05^(1/n). No bound on a mean sees what was not drawn.
 */
function unseenShare(judged: readonly Gated[]): number {
  const sides = judged.flatMap((each) => [each.environments, each.baselineEnvironments]);
  const fewest = sides.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return 1 - 0.05 ** (1 / Math.max(1, fewest));
}

/** Excludes parts of a cold start: no call takes 0 ms, but a part that shows 0 was not measured. */
function isOfDuration({ descriptive, quantity }: Gated): boolean {
  return descriptive === undefined || quantity === "durationMs";
}

/** Returns whether all figures are positive numbers. If not, a verdict would mean nothing. */
function hasFigures({ ratio, low, high }: Gated): boolean {
  return [ratio, low, high].every((figure) => Number.isFinite(figure) && Number(figure) > 0);
}

/** Reasons that withhold an interval's verdict. The interval then proves nothing either. */
const withheld: readonly Gated["undecidedReason"][] = [
  ...(["inside-noise-floor", "within-cpu-period", "few-calls"] as const),
];

/** isProvenNotSlower is true if the whole interval lies below the margin, and nothing withholds its verdict. */
function isProvenNotSlower({ verdict, high, undecidedReason }: Gated, margin: number): boolean {
  if (verdict === "equivalent" || verdict === "faster") return true;
  const isBelow = high !== undefined && Math.log(high) < Math.log1p(margin);
  return isBelow && !withheld.includes(undecidedReason);
}

type Losses = Pick<GateFinding, "lost" | "missingCalls" | "failedTrials" | "partialRuns">;

function lossesOf(manifests: readonly GatedManifest[]): Losses {
  const sumOf = (numberOf: (manifest: GatedManifest) => number) =>
    manifests.reduce((sum, manifest) => sum + numberOf(manifest), 0);
  return {
    lost: lostCalls(...manifests.map(({ counts }) => counts)),
    missingCalls: sumOf(({ counts }) => Math.max(0, counts.planned - counts.recorded)),
    failedTrials: sumOf(({ cellFailures }) => cellFailures.length),
    partialRuns: manifests.filter(
      ({ status, cellFailures }) => status !== "complete" && cellFailures.length === 0,
    ).length,
  };
}

/** isCompared is true if there are primary comparisons, all of them were made, and all calls of both builds count. */
export function isCompared(finding: GateFinding): boolean {
  const { comparisons, tooFew, withoutRatio, withoutFigures, unsound, lost, unshared } = finding;
  const { missingCalls, failedTrials, partialRuns } = finding;
  const parts = [tooFew, withoutRatio, withoutFigures, unsound, lost, unshared];
  const counts = [missingCalls, failedTrials, partialRuns];
  return comparisons > 0 && parts.every(({ length }) => length === 0) && Math.max(...counts) === 0;
}

/** The largest slowdown that unproven comparisons leave possible, as a ratio; undefined if none is above 1. */
export function slowdownNotExcluded({ notProven }: GateFinding): number | undefined {
  const largest = Math.max(1, ...notProven.flatMap(({ high }) => high ?? []));
  return largest > 1 ? largest : undefined;
}
