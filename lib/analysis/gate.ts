import type { Manifest } from "../contract/types/contract.ts";
import { primaryOnly } from "./family.ts";
import type { Compared } from "./series-ratio.ts";

/** A comparison that a gate is asked about. */
interface Gated extends Compared {
  readonly descriptive?: true;
}

/** A gate's findings: what is slower, what it cannot tell, and what it could not compare at all. */
export interface GateFinding<Each extends Gated = Gated> {
  /** Number of primary comparisons, 0 if one function was measured alone. */
  readonly comparisons: number;
  readonly slower: readonly Each[];
  /** Compared, and not decided. */
  readonly undecided: readonly Each[];
  /** A side has too few environments for an interval, or none. */
  readonly tooFew: readonly Each[];
  /** A side's mean is 0, so there is no ratio. */
  readonly withoutRatio: readonly Each[];
  /** Calls that count in nothing, by reason: see lostCalls. */
  readonly lost: readonly LostCalls[];
  /** Trials that could not be started or finished. */
  readonly failedTrials: number;
  /** Runs that ended before they were complete, though no trial failed. */
  readonly partialRuns: number;
}

export interface LostCalls {
  readonly reason: LostReason;
  readonly calls: number;
}

/** The reasons for which a call counts in nothing and that lie in the function. */
const lostReasons = ["result-wrong", "error", "result-invalid", "telemetry-missing"] as const;
export type LostReason = (typeof lostReasons)[number];

/** Calls that answered wrongly, failed or did not report: a build that makes such calls is not fast. */
export function lostCalls({
  rejected,
}: Pick<Manifest["counts"], "rejected">): readonly LostCalls[] {
  return lostReasons.flatMap((reason) => {
    const calls = rejected[reason] ?? 0;
    return calls === 0 ? [] : [{ reason, calls }];
  });
}

interface GateInputs<Each extends Gated> {
  readonly comparisons: readonly Each[];
  /** There is one for each run that was compared. */
  readonly manifests: readonly (Pick<Manifest, "target" | "status" | "cellFailures"> & {
    readonly counts: Pick<Manifest["counts"], "rejected">;
  })[];
}

/** gateFinding judges the primary comparisons. A log's own failures are no sign: nobody says what it should answer. */
export function gateFinding<Each extends Gated>({
  comparisons,
  manifests,
}: GateInputs<Each>): GateFinding<Each> {
  const judged = primaryOnly(comparisons);
  const open = judged.filter(({ verdict }) => verdict === "undecided");
  const isTooFew = ({ undecidedReason }: Each) => undecidedReason === "too-few";
  const isWithoutRatio = ({ undecidedReason }: Each) => undecidedReason === "not-positive";
  const own = manifests.filter(({ target }) => target !== "imported");
  const all = own.flatMap(({ counts }) => lostCalls(counts));
  const calls = (reason: LostReason) =>
    all.reduce((sum, each) => sum + (each.reason === reason ? each.calls : 0), 0);
  return {
    comparisons: judged.length,
    slower: judged.filter(({ verdict }) => verdict === "slower"),
    undecided: open.filter((each) => !isTooFew(each) && !isWithoutRatio(each)),
    tooFew: open.filter(isTooFew),
    withoutRatio: open.filter(isWithoutRatio),
    lost: lostReasons.flatMap((reason) => {
      const lost = calls(reason);
      return lost === 0 ? [] : [{ reason, calls: lost }];
    }),
    failedTrials: own.reduce((sum, { cellFailures }) => sum + cellFailures.length, 0),
    partialRuns: own.filter(
      ({ status, cellFailures }) => status !== "complete" && cellFailures.length === 0,
    ).length,
  };
}

/** isCompared is true if there are primary comparisons, all of them were made, and all calls of both builds count. */
export function isCompared(finding: GateFinding): boolean {
  const { comparisons, tooFew, withoutRatio, lost, failedTrials, partialRuns } = finding;
  if (comparisons === 0 || partialRuns > 0) return false;
  return [tooFew, withoutRatio, lost].every(({ length }) => length === 0) && failedTrials === 0;
}

/** The largest slowdown that what is undecided leaves possible, as a ratio; undefined where none is above 1. */
export function slowdownNotExcluded({ undecided }: GateFinding): number | undefined {
  const highs = undecided.flatMap(({ high }) => high ?? []);
  const largest = Math.max(...highs);
  return highs.length > 0 && largest > 1 ? largest : undefined;
}
