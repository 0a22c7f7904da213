import { type LostCalls, lostCalls } from "../analysis/gate.ts";
import type { LostReason } from "../contract/exclusion-reasons.ts";
import type { Manifest } from "../contract/types/contract.ts";
import { plural } from "./document/format.ts";
import { joined } from "./first-screen/number-phrases.ts";

const lostTexts: Readonly<Record<LostReason, string>> = {
  "result-wrong": "did not return the expected answer",
  error: "failed",
  "result-invalid": "returned what is not a result",
  "telemetry-missing": "have no report of their own",
  "init-repeated": "ran Init again after it had failed",
};

/** Returns `24 calls did not return the expected answer`. */
export function lostText({ reason, calls }: LostCalls): string {
  return `${plural(calls, "call")} ${lostTexts[reason]}`;
}

const kinds: Readonly<Record<LostReason, string>> = {
  error: "failed",
  "result-wrong": "answered wrongly",
  "result-invalid": "answered wrongly",
  "telemetry-missing": "did not report",
  "init-repeated": "had a failed Init",
};

/** What calls did that were lost for any of the reasons: `9 calls failed, answered wrongly or did not report`. */
export const howLost = lossText(Object.keys(kinds));

/** Returns what calls did that are left out for these reasons: `failed`, or `do not count (boot-id-changed)`. */
export function lossText(reasons: readonly string[]): string {
  const known = Object.entries(kinds).flatMap(([reason, kind]) =>
    reasons.includes(reason) ? kind : [],
  );
  const others = [...new Set(reasons)].filter((reason) => !Object.hasOwn(kinds, reason));
  const names = [
    ...new Set(known),
    ...(others.length === 0 ? [] : [`do not count (${others.join(", ")})`]),
  ];
  return joined(names, "or");
}

/** Returns what a run's lost calls did, by the reasons that it has: `failed or did not report`. */
export function howRunLost({ counts }: Pick<Manifest, "counts">): string {
  const reasons = lostCalls(counts).map(({ reason }) => reason);
  return reasons.length === 0 ? howLost : lossText(reasons);
}
