import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { variantsRun } from "../../analysis/select.ts";
import { type Chart, plain, type Text } from "../document/document.ts";
import type { OwnPart } from "../experiment-report.ts";
import { firstNotes } from "../section/opening.ts";
import { adviceText } from "./advice.ts";
import { aloneText } from "./alone.ts";
import { certaintyText } from "./certainty.ts";
import { type Answer, answer } from "./first-screen.ts";
import { strongestText, type Topic, warmWords } from "./sentences.ts";
import { sizeItems, sizesText } from "./size-choice.ts";
import { coldWords, viewTopics } from "./view-topics.ts";

/** The answer of a run: its own conclusions, and every variant against the baseline. */
export function viewAnswer(view: ReportView, own: OwnPart, chart: Chart | undefined): Answer {
  const lead = [...leadOnSizes(view), ...(own.lead?.(view) ?? [])];
  return answer({
    question: view.subject.question,
    notes: [...firstNotes(view), ...(own.notes?.(view) ?? [])],
    lead,
    topics: own.topics?.(view) ?? viewTopics(view),
    nothing: nothingText(view),
    margin: view.margin,
    advice: adviceText(view),
    items: sizeItems(view),
    certainty: certaintyText(view, own.caution?.(view)),
    ...(chart !== undefined && { chart }),
  });
}

/** The chosen sizes of each of several variants; of one alone they are what it answers (aloneText). */
function leadOnSizes(view: ReportView): readonly Text[] {
  const variants = variantsRun(view);
  if (view.sizeChoices === undefined || variants.length < 2) return [];
  return variants.map((variant) => sizesText(view, variant).join(" "));
}

/** What the pictures show: the strongest effect of each, in words. */
export function chartTitles(view: ReportView): Readonly<Record<"cold" | "warm" | "ratio", string>> {
  const topics = viewTopics(view);
  const title = (of: readonly Topic[], otherwise: string) =>
    plain(strongestText(of) ?? otherwise).replace(/\.$/, "");
  const nothing = "No difference that this run can tell";
  const called = (words: Topic["words"]) => topics.filter((topic) => topic.words === words);
  const isCompared = topics.some(({ compared }) => compared.length > 0);
  return {
    cold: title(
      called(coldWords(view)),
      isCompared ? `${nothing} in cold start` : "Cold starts by size",
    ),
    warm: title(
      called(warmWords),
      isCompared ? `${nothing} in warm Duration` : "Warm Duration by memory",
    ),
    ratio: title(topics, nothing),
  };
}

/** Why there is no comparison, and what was measured instead. */
function nothingText(view: ReportView): string {
  const { baselineVariant } = view.subject;
  const [first, ...others] = variantsRun(view);
  if (first !== undefined && others.length === 0) return aloneText(view, first);
  if (!variantsRun(view).includes(baselineVariant)) {
    const baseline = variantLabel(view.subject, baselineVariant);
    return `The baseline, ${baseline}, was not run, so there is nothing to compare with.`;
  }
  return "No two variants were measured at the same size, so there is nothing to compare.";
}
