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
  const { tooFew, lost, failedTrials } = finding;
  return [
    ...lost.map(lostText),
    ...(failedTrials === 0 ? [] : [`${plural(failedTrials, "trial")} failed`]),
    ...(tooFew.length === 0
      ? []
      : [
          `${plural(tooFew.length, "comparison")} ${tooFew.length === 1 ? "has" : "have"} too few environments`,
        ]),
  ];
}

/** `0 slower, 3 undecided: a slowdown of up to 1.9 times is not excluded`, or what was not compared. */
export function gateText(finding: GateFinding): string {
  const { slower, undecided } = finding;
  const largest = slowdownNotExcluded(finding);
  const open =
    largest === undefined
      ? ""
      : `: a slowdown of up to ${number(largest, 1)} times is not excluded`;
  const counts = `${slower.length} slower, ${undecided.length} undecided${open}`;
  return isCompared(finding)
    ? counts
    : `not compared in full (${notComparedTexts(finding).join("; ")}); ${counts}`;
}
