import type { FactorComparison } from "../analysis/factors.ts";
import { type ReportSubject, variantLabel } from "../analysis/report-subject.ts";
import type { ReportView } from "../analysis/report-view.ts";
import type { Compared } from "../analysis/series-ratio.ts";
import { groupBy } from "../contract/group-by.ts";
import { plain, strong, type Text } from "./document/document.ts";
import { number, ratioText, shareText } from "./document/format.ts";
import { joined } from "./first-screen/number-phrases.ts";

type Factors = Pick<ReportView, "factors" | "margin"> & { readonly subject: ReportSubject };

/** Returns the two sides of a comparison of one factor: `arm64` and `x86_64`, or `quiet` and `base`. */
export function factorSides(subject: ReportSubject, pair: FactorComparison): FactorSides {
  const { cell, baselineCell, factor } = pair;
  if (factor === "architecture") {
    return { one: cell.architecture, other: baselineCell.architecture };
  }
  const label = (variant: string) => variantLabel(subject, variant);
  return { one: label(cell.variant), other: label(baselineCell.variant) };
}

interface FactorSides {
  readonly one: string;
  readonly other: string;
}

/** Like factorItems, for each of two runs: `In the later run: arm64 against x86_64: arm64 costs ...`. */
export function factorItemsOfRuns(runs: readonly RunFactors[] = []): readonly Text[] {
  return runs.flatMap(({ which, ...view }) =>
    factorItems(view).map((text): Text => [`In the ${which} run: `, plain(text)]),
  );
}

/** The comparisons of one factor within one of two runs. */
export interface RunFactors extends Factors {
  readonly which: "earlier" | "later";
}

/** The comparisons of one factor at all sizes of one pair of variants. */
interface FactorGroup {
  readonly factor: string;
  readonly variant: string;
  readonly sides: FactorSides;
  readonly pairs: readonly FactorComparison[];
}

function listGroups({ factors = [], subject }: Factors): readonly FactorGroup[] {
  const groups = groupBy(factors, ({ factor, cell, baselineCell }) =>
    JSON.stringify([factor, cell.variant, baselineCell.variant]),
  );
  return [...groups.values()].map((pairs) => {
    const [first] = pairs;
    const { factor, cell } = first;
    return { factor, variant: cell.variant, sides: factorSides(subject, first), pairs };
  });
}

/** Returns the first screen's items on factors: one for the architectures, and one for each other factor. */
export function factorItems(view: Factors): readonly Text[] {
  const groups = listGroups(view);
  const names = [...new Set(groups.map(({ factor }) => factor))];
  return names.map((name): Text => {
    const own = groups.filter(({ factor }) => factor === name);
    const title = name === "architecture" ? "arm64 against x86_64:" : `One factor, ${name}:`;
    const isShared = name === "architecture" && own.length > 1;
    const texts = own.map((group) => {
      const text = groupText(group, view.margin);
      return isShared ? `${variantLabel(view.subject, group.variant)}: ${text}` : text;
    });
    return [strong(title), ` ${texts.join(" ")}`];
  });
}

/** Returns `arm64 costs 0.79 [0.77, 0.82] of x86_64 and takes as long.`, followed by what is undecided. */
function groupText({ sides, pairs }: FactorGroup, margin: number): string {
  const { one, other } = sides;
  const costs = pairs.flatMap((pair) => pair.costs);
  const times = pairs.flatMap((pair) => pair.times);
  const phrases = [...costPhrases(costs, other, shareText(margin)), ...timePhrases(times)];
  const isCostStated = costs.some(({ verdict }) => verdict !== "undecided");
  const against = phrases.length === 0 || isCostStated ? "" : ` (against ${other})`;
  return [
    ...(phrases.length === 0 ? [] : [`${one} ${joined(phrases)}${against}.`]),
    ...openText(costs, `Whether ${one} costs more or less than ${other}`),
    ...openText(times, `Whether ${one} is faster or slower than ${other}`),
    ...(costs.length === 0 ? ["What they cost cannot be compared: no price is known."] : []),
  ].join(" ");
}

function costPhrases(costs: readonly Compared[], other: string, margin: string): readonly string[] {
  return [
    ...phrase(costs, "faster", (span) => `costs ${span} of ${other}`),
    ...phrase(costs, "equivalent", () => `costs the same as ${other} within ${margin}`),
    ...phrase(costs, "slower", (span) => `costs ${span} times as much as ${other}`),
  ];
}

function timePhrases(times: readonly Compared[]): readonly string[] {
  return [
    ...phrase(times, "faster", (span) => `takes ${span} of the time`),
    ...phrase(times, "equivalent", () => "takes as long"),
    ...phrase(times, "slower", (span) => `takes ${span} times as long`),
  ];
}

/** Returns the phrase for the comparisons with one verdict, with their number unless it is all of them. */
function phrase(
  all: readonly Compared[],
  verdict: Compared["verdict"],
  say: (span: string) => string,
): readonly string[] {
  const own = all.filter((each) => each.verdict === verdict);
  if (own.length === 0) return [];
  const part = own.length === all.length ? "" : ` in ${own.length} of ${all.length} comparisons`;
  return [`${say(spanText(own))}${part}`];
}

/** Returns `0.79 [0.77, 0.82]`. For several, returns the least and the largest ratio and the outer bounds. */
function spanText(compared: readonly Compared[]): string {
  const [first] = compared;
  if (first !== undefined && compared.length === 1) return ratioText(first);
  const valuesOf = (key: "ratio" | "low" | "high") => compared.flatMap((each) => each[key] ?? []);
  const ends = [Math.min(...valuesOf("ratio")), Math.max(...valuesOf("ratio"))].map((end) =>
    number(end, 2),
  );
  const bounds = [Math.min(...valuesOf("low")), Math.max(...valuesOf("high"))].map((end) =>
    number(end, 2),
  );
  return `${[...new Set(ends)].join(" to ")} [${bounds.join(", ")}]`;
}

function openText(all: readonly Compared[], question: string): readonly string[] {
  const open = all.filter(({ verdict }) => verdict === "undecided");
  if (open.length === 0) return [];
  const part = open.length === all.length ? "" : ` in ${open.length} of ${all.length} comparisons`;
  const few = open.every(({ undecidedReason }) => undecidedReason === "too-few");
  return [`${question} is undecided${part}${few ? ": too few environments" : ""}.`];
}
