import type { Sample } from "./types/contract.ts";

/** Ways in which samples contradict each other or the plan; a run with one writer cannot have any. */
export const contradictions = [
  "recorded-twice",
  "two-boot-ids",
  "boot-id-of-another",
  "not-in-plan",
] as const;

export type Contradiction = (typeof contradictions)[number];

/** Why a sample does not count in any statistic: recorded with the sample, or found when the whole run is read. */
export type ExclusionReason =
  | NonNullable<Sample["rejected"]>["reason"]
  | Contradiction
  | "of-another-run"
  | "cell-not-in-plan";

/** Reasons that are due to the function itself: a build with such calls is not fast. */
export const lostReasons = [
  "result-wrong",
  "error",
  "result-invalid",
  "telemetry-missing",
  "init-repeated",
] as const satisfies readonly ExclusionReason[];
export type LostReason = (typeof lostReasons)[number];

/** Reasons that the plan itself gives: such calls were never meant to count. */
const plannedReasons: readonly string[] = ["warm-up", "instrumented"] satisfies ExclusionReason[];

export function isPlanned(reason: string): boolean {
  return plannedReasons.includes(reason);
}

/**
 * Returns whether a call that was excluded for this reason is lost by its function. One whose Init only took too long
 * is not: slow as it is, the function works.
 */
export function isLost(reason: string, { failedInits = [] }: Pick<Sample, "failedInits">): boolean {
  if (reason === "init-repeated") return failedInits.some(({ status }) => status === "error");
  return lostReasons.some((each) => each === reason);
}

/** All reasons with their meaning, applied by lib/sampler/rejection.ts and lib/analysis/exclusion.ts. */
export const exclusionReasons: Readonly<Record<ExclusionReason, string>> = {
  "warm-up": "one of the first warm calls of an operation, discarded as planned",
  error: "the invocation failed",
  "result-invalid": "the function returned something that is not a result",
  "result-wrong": "the function returned a wrong result for the operation",
  throttled: "the service left part of the work undone; the function waited and sent it again",
  "telemetry-missing": "no REPORT of the invocation was found",
  "init-missing": "planned as cold, but no Init was reported",
  "init-repeated": "Init failed or took over 10 s, and was run again within the call",
  "init-unexpected": "planned as warm, but an Init was reported",
  "boot-id-changed": "planned as warm, but another process answered",
  "boot-id-reused": "planned as cold, but a process seen before answered",
  "invoked-meanwhile":
    "the environment has answered someone else's call since the trial's last one",
  instrumented: "its instructions were counted, so its times are those of callgrind",
  "of-another-run": "carries another run's id or target",
  "cell-not-in-plan": "belongs to a cell that is not in the plan",
  "recorded-twice": "the data has the same call of the same environment more than once",
  "two-boot-ids": "of one environment by its place, and of two processes by their boot ids",
  "boot-id-of-another": "of a process that the data has in another environment already",
  "not-in-plan": "of a call or an environment beyond those that the plan has",
};

/** Why something that an import read is not a sample: what its manifest counts, by source. */
export const leftOutReasons = {
  otherLine: "other lines",
  withoutDuration: "reports without a Duration",
  unreadable: "reports that cannot be read for certain",
  outOfBounds: "reports with an impossible figure",
  longLine: "lines longer than any that Lambda writes",
  initReport: "INIT_REPORT lines, which name no invocation",
  readBefore: "reports read before",
} as const;

const { withoutDuration, unreadable, outOfBounds } = leftOutReasons;

/** Reasons of reports whose calls are in no figure of an import. */
export const skippedReports: readonly string[] = [withoutDuration, unreadable, outOfBounds];
