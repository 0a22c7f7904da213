import type { Manifest, Plan } from "../contract/types/contract.ts";
import { environmentsForFamily } from "./family.ts";
import type { GateFinding } from "./gate.ts";
import type { Compared } from "./series-ratio.ts";

/** What is expected to decide what a gate left undecided. */
export type GateRemedy =
  | {
      readonly kind: "environments";
      /** Of each cell. */
      readonly environments: number;
      /** Of each warm operation and cell, over all its environments. */
      readonly warmCalls: number;
      readonly minutes?: number;
    }
  /** More environments than a preset has for warm calls: by the half-width that the ratios are to reach. */
  | { readonly kind: "precision"; readonly untilPrecision: number; readonly minutes?: number }
  /** The ratios lie so near the margin, or have such causes, that no run of reasonable length decides them. */
  | { readonly kind: "none" };

/** Warm calls go to so many environments at most (the standard preset's). */
const mostWarmEnvironments = 60;

/** A run of more environments is not proposed. */
const mostEnvironments = 600;

/**
 * An interval of the expected width lies on one side of a bound at this many of its half-widths in 4 of 5 runs:
 * (1.96 + 0.84) / 1.96 for a normal estimate.
 */
const powerFactor = 1.43;

/** More environments of the same pair do not change these (decision 0042). */
const notByEnvironments: readonly Compared["undecidedReason"][] = [
  ...(["inside-noise-floor", "within-cpu-period"] as const),
];

type Measured = Pick<Manifest, "startedAt"> & Pick<Partial<Manifest>, "endedAt">;

/** gateRemedy works out how many environments decide what is not proven; undefined where nothing is open. */
export function gateRemedy(
  finding: Pick<GateFinding, "notProven" | "margin" | "comparisons">,
  { sizes }: Pick<Plan, "sizes">,
  runs: readonly Measured[],
): GateRemedy | undefined {
  const { notProven, margin, comparisons } = finding;
  if (notProven.length === 0) return undefined;
  const open = notProven.filter(
    ({ undecidedReason }) => !notByEnvironments.includes(undecidedReason),
  );
  const needed = open
    .map((each) => environmentsToDecide(each, margin))
    .filter((environments) => environments <= mostEnvironments);
  if (needed.length === 0) return { kind: "none" };
  const environments = Math.max(environmentsForFamily(comparisons), ...needed);
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
  const halfWidths = open
    .filter((each) => environmentsToDecide(each, margin) <= mostEnvironments)
    .map((each) => Math.expm1(distanceOf(each, margin) / powerFactor));
  return { kind: "precision", untilPrecision: Math.min(...halfWidths), ...expected };
}

/** How far the ratio lies from the margin, on the log scale. */
function distanceOf({ ratio = Number.NaN }: Compared, margin: number): number {
  return Math.abs(Math.log(ratio) - Math.log1p(margin));
}

/** The interval's width shrinks as the root of the environments. At least half as many more are asked for. */
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
