import {
  type GateFinding,
  isCompared,
  type LostCalls,
  type LostReason,
  slowdownNotExcluded,
} from "../analysis/gate.ts";
import { number, plural } from "./document/format.ts";

const lostTexts: Readonly<Record<LostReason, string>> = {
  "result-wrong": "did not return the expected answer",
  error: "failed",
  "result-invalid": "returned what is not a result",
  "telemetry-missing": "have no report of their own",
};

/** `24 calls did not return the expected answer`. */
export function lostText({ reason, calls }: LostCalls): string {
  return `${plural(calls, "call")} ${lostTexts[reason]}`;
}

/** What a gate could not compare, each with its cause; none where all was compared. */
export function notComparedTexts(finding: GateFinding): readonly string[] {
  const { comparisons, tooFew, withoutRatio, lost, failedTrials, partialRuns } = finding;
  const has = ({ length }: readonly unknown[], what: string) =>
    length === 0
      ? []
      : [`${plural(length, "comparison")} ${length === 1 ? "has" : "have"} ${what}`];
  return [
    ...lost.map(lostText),
    ...(failedTrials === 0 ? [] : [`${plural(failedTrials, "trial")} failed`]),
    ...(partialRuns === 0
      ? []
      : [`${plural(partialRuns, "run")} ${partialRuns === 1 ? "is" : "are"} partial`]),
    ...(comparisons === 0 ? ["there is nothing to compare"] : []),
    ...has(tooFew, "too few environments"),
    ...has(withoutRatio, "a mean of 0, and no ratio"),
  ];
}

/** `0 slower, 3 undecided: a slowdown of up to 1.91 times is not excluded`, or what was not compared. */
export function gateText(finding: GateFinding): string {
  const { slower, undecided } = finding;
  const largest = slowdownNotExcluded(finding);
  const open =
    largest === undefined ? "" : `: a slowdown of up to ${number(largest)} times is not excluded`;
  const counts = `${slower.length} slower, ${undecided.length} undecided${open}`;
  return isCompared(finding)
    ? counts
    : `not compared in full (${notComparedTexts(finding).join("; ")}); ${counts}`;
}
