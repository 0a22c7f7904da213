import { verdictText } from "../document/format-measure.ts";
import { percent } from "../document/format-number.ts";
import type { Compared } from "../view/compared.ts";
import type { ReportView } from "../view/report-view.ts";

/** Of what is a duration to who waits for it, and of what is an amount that is charged. */
export type Sense = "time" | "amount";

const words = {
  time: { slower: "slower", faster: "faster" },
  amount: { slower: "more", faster: "less" },
} as const;

/** Which verdicts came out how often. */
export function verdictCounts(
  view: ReportView,
  comparisons: readonly Compared[],
  sense: Sense = "time",
): string {
  const total = comparisons.length;
  const texts = [
    ["slower", words[sense].slower],
    ["faster", words[sense].faster],
    ["equivalent", `equivalent (within ${percent(view.margin)})`],
    ["undecided", `undecided${undecidedText(comparisons)}`],
  ] as const;
  const found = texts.flatMap(([verdict, word]) => {
    const n = comparisons.filter((comparison) => comparison.verdict === verdict).length;
    return n === 0 ? [] : [{ word, n }];
  });
  const [only] = found;
  if (only !== undefined && found.length === 1) {
    return total === 1 ? only.word : `${only.word} in all ${total} comparisons`;
  }
  return `${found.map(({ word, n }) => `${word} in ${n}`).join(", ")} of ${total} comparisons`;
}

/** How many would have a verdict if they were the only one, and how many differ by an unknown size. */
function undecidedText(comparisons: readonly Compared[]): string {
  const reasons = [
    ["one-of-many", "by the correction for their number"],
    ["differs", "told apart, but not whether by more than the margin"],
  ] as const;
  const found = reasons.flatMap(([reason, words]) => {
    const n = comparisons.filter(({ undecidedReason }) => undecidedReason === reason).length;
    return n === 0 ? [] : [`${n} ${words}`];
  });
  return found.length === 0 ? "" : ` (${found.join(", ")})`;
}

/** As verdictText, of an amount: less or more where a time is faster or slower. */
export function senseText(compared: Compared | undefined, sense: Sense): string {
  const verdict = compared?.verdict;
  return verdict === "faster" || verdict === "slower"
    ? words[sense][verdict]
    : verdictText(compared);
}
