import { isTie, isTooFew } from "../../analysis/findings.ts";
import type { Best } from "../../analysis/recommendation.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { hidesSlowStart } from "../../analysis/series-view.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { type Chart, plain, strong, type Table, type Text } from "../document/document.ts";
import { count, groupedNumber, shareText } from "../document/format.ts";
import type { OwnPart } from "../experiment-report.ts";
import { factorItems } from "../factor-text.ts";
import { limitItems } from "../limit-text.ts";
import { simulatedPhrase } from "../phrases.ts";
import { publishedPlace } from "../section/columns.ts";
import { firstNotes } from "../section/opening.ts";
import { adviceText, fastestText } from "./advice.ts";
import { variantTable } from "./answer-table.ts";
import { certaintyText } from "./certainty.ts";
import { type Answer, answer } from "./first-screen.ts";
import { joined, joinedSizes } from "./number-phrases.ts";
import { lambdaPhrases, noLambdaText } from "./on-lambda.ts";
import { publishedTexts } from "./published-beside.ts";
import { strongestText } from "./sentences.ts";
import { sizeItems, sizesText } from "./size-choice.ts";
import { averagesTable, sizeTable } from "./size-table.ts";
import { unsoundTexts } from "./sound-comparisons.ts";
import { callWords, type Topic } from "./topic.ts";
import { viewTopics } from "./view-topics.ts";

/** Returns a run's answer: its own conclusions, and every variant against the baseline. */
export function viewAnswer(view: ReportView, own: OwnPart, chart: Chart | undefined): Answer {
  const topics = own.topics?.(view) ?? viewTopics(view);
  const conclusions = own.lead?.(view) ?? [];
  const sizes = leadOnSizes(view, topics);
  const unsound = unsoundTexts(view);
  const headline = localHeadline(view, [...unsound, ...conclusions], topics);
  const table = answerTable(view);
  const fastest = fastestText(view);
  return answer({
    question: view.subject.question,
    notes: [...firstNotes(view), ...(own.notes?.(view) ?? [])],
    ...(headline !== undefined && { headline }),
    lead: [...unsound, ...sizes, ...conclusions],
    topics,
    nothing: nothingText(view),
    margin: view.margin,
    ...(table !== undefined && { table }),
    advice: adviceText(view),
    items: [
      ...(table === undefined ? [[strong("No table:"), " no call of this run counts."]] : []),
      ...setAsideItems(view),
      ...factorItems(view),
      ...limitItems(view),
    ],
    certainty: certaintyText(view),
    beside: [
      ...(fastest === undefined ? [] : [fastest]),
      ...sizeItems(view),
      ...besideTexts(view, topics, own.publishedPlace),
    ],
    ...(chart !== undefined && { chart }),
  });
}

function answerTable(view: ReportView): Table | undefined {
  const averages = view.manifest.imported?.averages;
  if (averages !== undefined) return averagesTable(view, averages);
  return view.variants.length === 1 ? sizeTable(view) : variantTable(view);
}

/** Says how much longer the first warm calls took, which are set aside, where that is twice as long and 10 ms. */
function setAsideItems(view: ReportView): readonly Text[] {
  const [worst] = view.rows.warm
    .filter(hidesSlowStart)
    .toSorted((a, b) => (b.setAsideMs?.mean ?? 0) - (a.setAsideMs?.mean ?? 0));
  if (worst === undefined) return [];
  const { cell, operation, setAsideMs, durationMs } = worst;
  const place = `${shortLabel(view, cell.variant)} at ${sizeLabel(view, cell)}, ${operation}`;
  return [
    [
      strong("Set aside:"),
      ` the first warm calls of an environment took ${groupedNumber(setAsideMs?.mean)} ms, the measured ones ${groupedNumber(durationMs.mean)} (${place}).`,
    ],
  ];
}

/** Returns the headline of a local run, which predicts Lambda; undefined for other runs. */
function localHeadline(
  view: ReportView,
  conclusions: readonly Text[],
  topics: readonly Topic[],
): readonly Text[] | undefined {
  const isAlone = view.variants.length === 1;
  const isCompared = topics.some(({ compared }) => compared.length > 0);
  if (view.onLambda === undefined || !(isAlone || isCompared)) return undefined;
  // Other comparisons, such as those of sizes, are not predicted.
  if (topics.some(({ call }) => call !== callWords.cold && call !== callWords.warm)) {
    const strongest = strongestText(topics, view.margin);
    return strongest && [...conclusions, simulatedPhrase(strongest)];
  }
  const phrases = lambdaPhrases(view);
  return [...conclusions, ...(phrases.length === 0 ? [noLambdaText(view)] : phrases)];
}

/** Describes each variant's chosen sizes. For a single variant without comparisons, adds its times by size. */
function leadOnSizes(view: ReportView, topics: readonly Topic[]): readonly Text[] {
  const variants = view.variants;
  const [only] = variants;
  const isCompared = topics.some(({ compared }) => compared.length > 0);
  if (only !== undefined && variants.length === 1 && !isCompared) return aloneTexts(view, only);
  if (view.sizeChoices === undefined) return [];
  return variants.map((variant) => sizesText(view, variant).join(" "));
}

/** Returns the chart titles: the strongest effect in each chart, or the outcome of its comparisons. */
export function chartTitles(view: ReportView): Readonly<Record<"cold" | "warm" | "ratio", string>> {
  const topics = viewTopics(view);
  const called = (call: Topic["call"]) => topics.filter((topic) => topic.call === call);
  return {
    cold: chartTitle(view, called(callWords.cold), "cold starts by size"),
    warm: chartTitle(view, called(callWords.warm), "warm Duration by memory"),
    ratio: chartTitle(view, topics, "every comparison"),
  };
}

function chartTitle(
  { margin, simulated }: ReportView,
  topics: readonly Topic[],
  shown: string,
): string {
  const strongest = strongestText(topics, margin);
  if (strongest === undefined) return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}`;
  return `${simulated ? "Measured here: " : ""}${plain(strongest).replace(/\.$/, "")}`;
}

/** Returns why there is no comparison. */
function nothingText(view: ReportView): string {
  const { baselineVariant } = view.subject;
  if (!view.variants.includes(baselineVariant)) {
    const baseline = variantLabel(view.subject, baselineVariant);
    return `The baseline, ${baseline}, was not run, so there is nothing to compare with.`;
  }
  return "No two variants were measured at the same size, so there is nothing to compare.";
}

/** Returns the published ratios of the same functions, and for a local run the threshold for reporting a difference. */
function besideTexts(
  view: ReportView,
  topics: readonly Topic[],
  place = view.published === undefined ? "" : publishedPlace(view.published),
): readonly Text[] {
  return [
    ...publishedTexts(topics, place),
    ...(view.onLambda === undefined || view.variants.length === 1
      ? []
      : [`A measured difference is reported only above ${shareText(view.margin)}.`]),
  ];
}

/** Describes a run of one variant: its fastest or chosen sizes, and its times by memory size. */
function aloneTexts(view: ReportView, variant: string): readonly string[] {
  const fastest = view.recommendation?.variants.find((each) => each.variant === variant)?.fastest;
  const label = variantLabel(view.subject, variant);
  return [
    ...(view.sizeChoices === undefined
      ? fastestSize(view, label, fastest)
      : sizesText(view, variant)),
    ...timesBySize(view, "Its cold starts", "cold", "initAndDurationMs"),
    ...timesBySize(view, "Its warm calls", "warm", "durationMs"),
  ];
}

/** Names the fastest size, or explains why none is named. */
function fastestSize(view: ReportView, label: string, fastest: Best | undefined): string[] {
  switch (fastest?.kind) {
    case "decided":
      return [`${label} is fastest on a warm call at ${sizeLabel(view, fastest.cell)}.`];
    case "undecided": {
      const sizes = fastest.among
        .toSorted((a, b) => a.memoryMb - b.memoryMb)
        .map((cell) => sizeLabel(view, cell));
      if (isTie(fastest)) {
        return [
          `${label} is fastest on a warm call at ${joinedSizes(sizes)}: the same within ${shareText(view.margin)}.`,
        ];
      }
      const cause = isTooFew(fastest) ? " (too few environments)" : "";
      return [
        `This run cannot tell at which size ${label} is fastest on a warm call${cause}: ${joinedSizes(sizes, "or")}.`,
      ];
    }
    default:
      return [`Only ${label} was measured, ${whyNoSize(view)}.`];
  }
}

/** Returns why no size of the only variant is called the fastest. */
function whyNoSize(view: ReportView): string {
  const warm = view.rows.warm;
  const cells = new Set(view.plan.cells.map(({ memoryMb }) => memoryMb));
  if (cells.size < 2) return "at one size, so there is nothing to compare";
  if (warm.length === 0) return "and no warm call, by which sizes are compared, was planned";
  const measured = warm.filter(({ n }) => n > 0).map(({ cell }) => cell.id);
  return new Set(measured).size === 0
    ? "and no warm call, by which sizes are compared, counts"
    : "and only one size has warm calls that count, so there is nothing to compare";
}

/** The most sizes listed one by one. A longer list becomes a range. */
const mostSizes = 6;

/** Returns the mean of each size if there are few sizes with one series each; otherwise the range of the means. */
function timesBySize(
  view: ReportView,
  what: string,
  phase: "cold" | "warm",
  metric: "initAndDurationMs" | "durationMs",
): readonly string[] {
  const measured = view.rows[phase].flatMap((series) => {
    const mean = series[metric]?.mean;
    return mean === undefined ? [] : [{ cell: series.cell, mean }];
  });
  if (measured.length === 0) return [];
  const sizes = new Set(measured.map(({ cell }) => cell.id)).size;
  if (sizes === measured.length && sizes > 1 && sizes <= mostSizes) {
    const each = measured.map(
      ({ cell, mean }) => `${groupedNumber(mean)} ms at ${sizeLabel(view, cell)}`,
    );
    return [`${what} took ${joined(each)} (means).`];
  }
  const means = measured.map(({ mean }) => mean);
  const ends = [Math.min(...means), Math.max(...means)].map((ms) => groupedNumber(ms));
  const which = measured.length === 1 ? "mean" : `means of ${count(measured.length)} series`;
  return [`${what} took ${[...new Set(ends)].join(" to ")} ms (${which}).`];
}
