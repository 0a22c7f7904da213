import { type GateFinding, isCompared, slowdownNotExcluded } from "../analysis/gate.ts";
import type { GateRemedy } from "../analysis/gate-remedy.ts";
import { count, number, plural, shareText } from "./document/format.ts";
import { howLost, lostText } from "./lost-calls-text.ts";

/** Lists the comparisons that a gate could not make, each with its cause; empty if it made them all. */
export function notComparedTexts(finding: GateFinding): readonly string[] {
  const { comparisons, tooFew, withoutRatio, withoutFigures, withLostCalls, lost, unshared } =
    finding;
  const { missingCalls, rejectedCalls, failedTrials, partialRuns } = finding;
  const has = ({ length }: readonly unknown[], what: string) =>
    length === 0
      ? []
      : [`${plural(length, "comparison")} ${length === 1 ? "has" : "have"} ${what}`];
  const are = (n: number, one: string, what: string) =>
    n === 0 ? [] : [`${plural(n, one)} ${n === 1 ? "is" : "are"} ${what}`];
  return [
    ...lost.map(lostText),
    ...(lost.length === 0
      ? are(withLostCalls.length, "comparison", `left out, as calls ${howLost}`)
      : []),
    ...(failedTrials === 0 ? [] : [`${plural(failedTrials, "trial")} failed`]),
    ...are(partialRuns, "run", "partial"),
    ...are(missingCalls, "planned call", "missing"),
    ...(rejectedCalls === 0
      ? []
      : [`${plural(rejectedCalls, "call")} do not count for their phase`]),
    ...(unshared.length === 0 ? [] : [unsharedText(unshared.length)]),
    ...(comparisons === 0 ? ["there is nothing to compare"] : []),
    ...has(tooFew, "too few environments"),
    ...has(withoutRatio, "a mean of 0, and no ratio"),
    ...has(withoutFigures, "a figure that is not a number"),
  ];
}

/** Returns `2 cells, operations or experiments are in one run alone`. */
function unsharedText(n: number): string {
  return n === 1
    ? "1 cell, operation or experiment is in one run alone"
    : `${count(n)} cells, operations or experiments are in one run alone`;
}

/** Returns `0 slower, 3 undecided: a slowdown of up to 1.91 times is not excluded`, or why nothing was compared. */
export function gateText(finding: GateFinding): string {
  const counts = `${count(finding.slower.length)} slower, ${undecidedText(finding)}`;
  return isCompared(finding)
    ? counts
    : `not compared in full (${notComparedTexts(finding).join("; ")}); ${counts}`;
}

/** Returns `3 undecided: a slowdown of up to 1.91 times is not excluded`. */
export function undecidedText(finding: GateFinding): string {
  const { undecided, notProven, margin } = finding;
  const largest = slowdownNotExcluded(finding);
  const open = `${count(undecided.length)} undecided`;
  if (undecided.length === 0) return open;
  if (notProven.length === 0) {
    return `${open}: a slowdown of more than ${shareText(margin)} is excluded`;
  }
  return largest === undefined
    ? open
    : `${open}: a slowdown of up to ${number(largest)} times is not excluded`;
}

/** Returns options for a run that is expected to be decisive: `--preset standard --cold 60 --warm 660`. */
export function remedyOptions(remedy: GateRemedy): readonly string[] {
  switch (remedy.kind) {
    case "environments": {
      const { environments, warmCalls } = remedy;
      return ["--preset", "standard", "--cold", `${environments}`, "--warm", `${warmCalls}`];
    }
    case "precision": {
      const share = Math.max(0.1, Math.floor(1000 * remedy.untilPrecision) / 10);
      const minutes = minutesOf(remedy);
      const budget = minutes === undefined ? [] : ["--max-minutes", `${2 * minutes}`];
      return ["--preset", "standard", "--until-precision", `${share}%`, ...budget];
    }
    default:
      return [];
  }
}

function minutesOf({ minutes }: { readonly minutes?: number }): number | undefined {
  return minutes === undefined ? undefined : Math.max(1, Math.ceil(minutes));
}

/**
 * Returns `To decide what is open: --preset standard --cold 60 --warm 660, about 12 minutes.`
 * @param command text to print instead of the options alone.
 */
export function remedyText(remedy: GateRemedy, command = remedyOptions(remedy).join(" ")): string {
  if (remedy.kind === "none") {
    return "More environments are not expected to decide what is open: ratios lie too near the margin, within A/A noise or within one CPU period.";
  }
  const minutes = minutesOf(remedy);
  const time = minutes === undefined ? "" : `, about ${plural(minutes, "minute")}`;
  return `To decide what is open: ${command}${time}.`;
}
