import type { Manifest, Plan } from "../contract/types/contract.ts";
import { environmentsForFamily } from "./family.ts";
import type { GateFinding } from "./gate.ts";
import type { Compared } from "./series-ratio.ts";

/** A measure that is expected to decide what a gate left undecided. */
export type GateRemedy =
  | {
      readonly kind: "environments";
      readonly environments: number;
      /** Warm calls of each operation and cell, over all its environments. */
      readonly warmCalls: number;
      readonly minutes?: number;
    }
  /** Half-width to run until, used if warm calls need more environments than a preset has. */
  | { readonly kind: "precision"; readonly untilPrecision: number; readonly minutes?: number }
  /** Ratios are too near the margin, or have causes that no run of reasonable length resolves. */
  | { readonly kind: "none" };

/** Warm calls use at most this many environments (the standard preset's). */
const mostWarmEnvironments = 60;

/** Runs of more environments are not proposed. */
const mostEnvironments = 600;

/**
 * Distance from a bound, in half-widths, at which 4 of 5 intervals of the expected width lie on one side of it: (1.96
 * + 0.84) / 1.96 for a normal estimate.
 */
const powerFactor = 1.43;

/** Reasons that more environments of the same pair do not change (decision 0042). */
const notByEnvironments: readonly Compared["undecidedReason"][] = [
  ...(["inside-noise-floor", "within-cpu-period"] as const),
];

type Measured = Pick<Manifest, "startedAt"> & Pick<Partial<Manifest>, "endedAt">;

/**
 * gateRemedy computes how many environments would decide what is not proven. It returns undefined if nothing is open, and
 * if calls are lost: more environments would lose more of them.
 */
export function gateRemedy(
  finding: Pick<GateFinding, "notProven" | "margin" | "comparisons"> &
    Partial<Pick<GateFinding, "lost" | "unsound">>,
  { sizes }: Pick<Plan, "sizes">,
  runs: readonly Measured[],
): GateRemedy | undefined {
  const { notProven, margin, comparisons, lost = [], unsound = [] } = finding;
  if (notProven.length === 0 || lost.length + unsound.length > 0) return undefined;
  const open = notProven.filter(
    ({ undecidedReason }) => !notByEnvironments.includes(undecidedReason),
  );
  const decidable = open
    .map((each) => ({ each, needed: environmentsToDecide(each, margin) }))
    .filter(({ needed }) => needed <= mostEnvironments);
  if (decidable.length === 0) return { kind: "none" };
  const allNeeded = decidable.map(({ needed }) => needed);
  const environments = Math.max(environmentsForFamily(comparisons), ...allNeeded);
  const minutes = minutesOf(runs);
  const expected =
    minutes === undefined ? {} : { minutes: (minutes * environments) / sizes.environments };
  if (environments <= mostWarmEnvironments) {
    return {
      kind: "environments",
      environments,
      warmCalls: sizes.warmEnvironments === 0 ? 0 : environments * sizes.warmCalls,
      ...expected,
    };
  }
  const halfWidths = decidable.map(({ each }) =>
    Math.expm1(distanceOf(each, margin) / powerFactor),
  );
  return { kind: "precision", untilPrecision: Math.min(...halfWidths), ...expected };
}

/** Returns the distance of the ratio from the margin, on the log scale. */
function distanceOf({ ratio = Number.NaN }: Compared, margin: number): number {
  return Math.abs(Math.log(ratio) - Math.log1p(margin));
}

/** Assumes that the width shrinks with the root of the environments. Requests at least half as many more. */
function environmentsToDecide(compared: Compared, margin: number): number {
  const { low = Number.NaN, high = Number.NaN, environments, baselineEnvironments } = compared;
  const halfWidth = Math.log(high / low) / 2;
  const times = Math.max(1.5, ((powerFactor * halfWidth) / distanceOf(compared, margin)) ** 2);
  const found = Math.ceil(Math.min(environments, baselineEnvironments) * times);
  return Number.isFinite(found) ? found : Number.POSITIVE_INFINITY;
}

function minutesOf(runs: readonly Measured[]): number | undefined {
  const all = runs.map(
    ({ startedAt, endedAt }) => (Date.parse(endedAt ?? "") - Date.parse(startedAt)) / 60_000,
  );
  const minutes = all.reduce((sum, each) => sum + each, 0);
  return minutes > 0 ? minutes : undefined;
}
