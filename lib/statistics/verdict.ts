import type { Ratio, RatioInterval } from "./ratio.ts";

/** The verdict on the numerator's durations relative to the denominator's. */
export type VerdictKind = "faster" | "slower" | "equivalent" | "undecided";

type Verdict =
  | { readonly kind: "faster" | "slower" | "equivalent"; readonly margin: number }
  | { readonly kind: "undecided"; readonly margin: number; readonly reason: UndecidedReason };

/**
 * `too-few`: no interval; `not-positive`: no ratio; `interval-crosses-margin`: more environments may decide it;
 * `inside-noise-floor`, `within-cpu-period`: more environments of this pair cannot.
 */
export type UndecidedReason =
  | "too-few"
  | "not-positive"
  | "interval-crosses-margin"
  | "inside-noise-floor"
  | "within-cpu-period";

interface VerdictOptions {
  /** Smallest relative difference that matters; 0.05 is 5%. @default 0.05 */
  readonly margin?: number;
  /** Ratio of the A/A pair, the same cell deployed twice. @default no noise floor */
  readonly noiseFloor?: Ratio;
  /** True if the times count periods of the CPU quota and differ by less than one. @default false */
  readonly isWithinCpuPeriod?: boolean;
}

export const defaultMargin = 0.05;

/**
 * Judges a ratio's interval against a margin m. Differences are judged on the log scale, from 1 / (1 + m) to 1 + m,
 * so that exchanging the two sides exchanges faster and slower.
 *
 * - faster, slower: the whole interval lies beyond the margin, and the ratio itself beyond the noise floor;
 * - equivalent: the whole interval and the noise floor lie within the margin (two one-sided tests; Schuirmann, J.
 *   Pharmacokinetics and Biopharmaceutics 15, 1987);
 * - undecided: anything else.
 *
 * The noise floor is the nearer bound of the A/A interval if that excludes 1: two deployments of the same code differ
 * by so much, apart from chance. It does not include a pair's chance difference: the ratio's own interval and the
 * test already account for chance, and a pair of nine environments on a busy machine differs by 1.4 (decision 0056).
 * A floor above the margin makes `equivalent` impossible, because the instrument cannot resolve it. Within one period
 * of the CPU quota there is no verdict: a little more work takes one period more, or none. An A/A pair without an
 * interval gives no floor; the report states its absence. Throws RangeError on a margin that is not a finite number
 * above 0.
 */
export function judge(ratio: Ratio, options: VerdictOptions = {}): Verdict {
  const margin = options.margin ?? defaultMargin;
  if (!Number.isFinite(margin) || margin <= 0) {
    throw new RangeError(`margin: found ${margin}; allowed: a finite number above 0`);
  }
  if (ratio.kind === "insufficient") return { kind: "undecided", margin, reason: "too-few" };
  if (ratio.kind === "not-positive") return { kind: "undecided", margin, reason: "not-positive" };
  const kind = kindByInterval(ratio, Math.log1p(margin));
  if (kind === undefined) return { kind: "undecided", margin, reason: "interval-crosses-margin" };
  const floor = options.noiseFloor === undefined ? 0 : (noiseFloorLog(options.noiseFloor) ?? 0);
  const isInsideFloor =
    kind === "equivalent" ? floor > Math.log1p(margin) : Math.abs(Math.log(ratio.ratio)) <= floor;
  if (isInsideFloor) return { kind: "undecided", margin, reason: "inside-noise-floor" };
  if (options.isWithinCpuPeriod === true) {
    return { kind: "undecided", margin, reason: "within-cpu-period" };
  }
  return { kind, margin };
}

/**
 * Returns the noise floor on the log scale: the distance from 1 of the nearer bound of the A/A interval; 0 if the
 * interval contains 1. Undefined if the A/A pair has no interval.
 */
export function noiseFloorLog(replicas: Ratio): number | undefined {
  if (replicas.kind !== "ratio") return undefined;
  const [low, high] = [Math.log(replicas.low), Math.log(replicas.high)];
  return Math.max(0, low, -high);
}

function kindByInterval(
  { low, high }: RatioInterval,
  marginLog: number,
): Exclude<VerdictKind, "undecided"> | undefined {
  const lowLog = Math.log(low);
  const highLog = Math.log(high);
  if (highLog < -marginLog) return "faster";
  if (lowLog > marginLog) return "slower";
  if (lowLog >= -marginLog && highLog <= marginLog) return "equivalent";
  return undefined;
}
