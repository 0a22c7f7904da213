import { limitChoices } from "../analysis/limit-choice.ts";
import { type LimitFinding, type LimitVerdict, limitFinding } from "../analysis/limits.ts";
import { variantLabel } from "../analysis/report-subject.ts";
import type { ReportView } from "../analysis/report-view.ts";
import type { Limit } from "../contract/types/contract.ts";
import { sizeLabel } from "./document/cell-labels.ts";
import { strong, type Text } from "./document/document.ts";
import { count, dollarsText, number, plural, unlimitedText } from "./document/format.ts";
import { joinedSizes } from "./first-screen/number-phrases.ts";
import { howLost } from "./lost-calls-text.ts";

const statistics = { mean: "mean", median: "median", p95: "P95", p99: "P99" } as const;
const quantities = {
  cold: "cold start",
  second: "second call",
  warm: "warm call",
  memory: "memory",
  package: "package",
} as const;

/** Returns `cold start P95 < 800 ms`. */
export function limitText({ quantity, statistic, below }: Limit): string {
  return statistic === undefined
    ? `${quantities[quantity]} < ${below} MB`
    : `${quantities[quantity]} ${statistics[statistic]} < ${below} ms`;
}

/** Returns `at least 412, at most 780`: the bounds of the value, in the limit's unit. */
export function boundsText({ atLeast, atMost }: LimitVerdict): string {
  const ends = [
    ...(atLeast === undefined ? [] : [`at least ${number(atLeast)}`]),
    ...(atMost === undefined ? [] : [`at most ${number(atMost)}`]),
  ];
  return ends.length === 0 ? "no bound" : ends.join(", ");
}

/** Returns `missed`, `undecided: 50 more environments`, or `not judged, as 9 calls failed, answered wrongly or did not report`. */
export function limitVerdictText({
  verdict,
  environments,
  environmentsNeeded,
  lostCalls,
  isUnlimited,
}: LimitVerdict): string {
  if (isUnlimited) return `not judged, as ${unlimitedText}`;
  if (verdict === "not-measured") {
    return lostCalls === undefined
      ? "not measured"
      : `not judged, as ${plural(lostCalls, "call")} ${howLost}`;
  }
  const more = (environmentsNeeded ?? 0) - environments;
  return verdict === "undecided" && more > 0
    ? `undecided: ${plural(more, "more environment")}`
    : verdict;
}

/** Returns `2 limits missed, 1 undecided`, for a gate's message. */
export function limitCounts({ missed, undecided, notMeasured }: LimitFinding): string {
  const isLost = ({ lostCalls, isUnlimited }: LimitVerdict) =>
    lostCalls !== undefined || isUnlimited === true;
  const lost = notMeasured.filter(isLost).length;
  const absent = notMeasured.length - lost;
  const others = [
    ...(absent === 0 ? [] : [`, ${count(absent)} not measured`]),
    ...(lost === 0 ? [] : [`, ${count(lost)} not judged`]),
  ].join("");
  return `${plural(missed.length, "limit")} missed, ${count(undecided.length)} undecided${others}`;
}

/** Returns `missed: head at 512 MB, warm call mean < 20 ms (invoke): 25.1 (at least 24.2, at most 26.0)`. */
export function limitLine(view: Pick<ReportView, "subject">, each: LimitVerdict): string {
  const { cell, operation, limit, value } = each;
  const label = variantLabel(view.subject, cell.variant);
  const operationText = operation === undefined ? "" : ` (${operation})`;
  return `${limitVerdictText(each)}: ${label} at ${count(cell.memoryMb)} MB, ${limitText(limit)}${operationText}: ${number(value)} (${boundsText(each)})`;
}

const mostNamed = 2;

/** Returns the first screen's items on limits: those not met, and the cheapest size within them. */
export function limitItems(view: ReportView): readonly Text[] {
  const { limits } = view;
  if (limits === undefined) return [];
  const finding = limitFinding(limits);
  const open = [...finding.missed, ...finding.notMeasured, ...finding.undecided];
  const texts = open.slice(0, mostNamed).map((each) => limitLine(view, each));
  const notNamed = open.length - texts.length;
  const verdicts =
    open.length === 0
      ? `all ${count(limits.length)} are met (95% confidence each)`
      : `${limitCounts(finding)} of ${count(limits.length)}; ${texts.join("; ")}${notNamed === 0 ? "" : `; and ${count(notNamed)} more`}`;
  return [
    [strong("Limits:"), ` ${verdicts}.`],
    ...choiceTexts(view, limits).map((text): Text => [strong("Within the limits:"), ` ${text}`]),
  ];
}

function choiceTexts(view: ReportView, limits: readonly LimitVerdict[]): readonly string[] {
  const { recommendation, plan } = view;
  if (recommendation === undefined) return [];
  const sizes = new Set(plan.cells.map(({ memoryMb }) => memoryMb));
  if (sizes.size < 2) return [];
  return limitChoices(limits, recommendation).map(({ variant, chosen, open }) => {
    const label = variantLabel(view.subject, variant);
    const names = joinedSizes(
      open.map(({ cell }) => sizeLabel(view, cell)),
      "or",
    );
    if (chosen === undefined) {
      return open.length === 0
        ? `no size of ${label}.`
        : `no size of ${label} for certain; ${names} may be.`;
    }
    const cost = dollarsText(chosen.usdPerMillion, chosen.usdInterval);
    const cheaper =
      open.length === 0 ? "" : `; ${names}, which would cost less, may be within them too`;
    return `the cheapest size of ${label} is ${sizeLabel(view, chosen.cell)} ($${cost} per million calls)${cheaper}.`;
  });
}
