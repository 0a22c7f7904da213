import { defined } from "../../contract/defined.ts";
import {
  type Block,
  type Chart,
  type FirstScreen,
  list,
  type Note,
  paragraph,
  plain,
  spansOf,
  strong,
  type Table,
  type Text,
} from "../document/document.ts";
import { shareText } from "../document/format.ts";
import { wrapped } from "../document/wrapped.ts";
import { type PairOutcome, pairOutcomes } from "./pair-outcomes.ts";
import { topicSentences } from "./sentences.ts";
import type { Topic } from "./topic.ts";

/** The parts of a report's answer. */
interface AnswerParts {
  readonly question: string;
  /** Notes to read before any number. */
  readonly notes: readonly Note[];
  /**
   * The sentences above the table.
   * @default the lead and the strongest comparisons
   */
  readonly headline?: readonly Text[];
  /** Conclusions that no single comparison supports; they precede the sentences on comparisons. */
  readonly lead?: readonly Text[];
  readonly topics: readonly Topic[];
  /**
   * The most sentences above the table.
   * @default 2
   */
  readonly mostSentences?: number;
  /** The sentence to use if no topic has a comparison. */
  readonly nothing: string;
  readonly margin: number;
  readonly table?: Table;
  readonly advice?: Text;
  /** Separate items that a reader acts on one by one. */
  readonly items?: readonly Text[];
  readonly certainty: string;
  /** Sentences that are shown below the first screen. */
  readonly beside?: readonly Text[];
  readonly chart?: Chart;
}

/** The answer: its first screen, and the sentences that do not fit there. */
export interface Answer {
  readonly block: FirstScreen;
  /** The first of the sentences, which represents the report in a list of several reports. */
  readonly finding: Text;
  /** Sentences beyond those of the first screen. */
  readonly more: readonly Text[];
  /** The strongest comparison, for a table of several reports. Absent if nothing was compared. */
  readonly outcome?: PairOutcome;
}

/** The most terminal lines of the sentences above a table of six lines. A smaller table leaves room for more. */
export const mostSentenceLines = 3;
const mostLinesWithTable = 9;
const mostUndecided = 100;

/** Returns the finding in one or two sentences, the table that shows it, the advice and how sure it is. */
export function answer(parts: AnswerParts): Answer {
  const { lead = [], topics, nothing, margin, headline, certainty } = parts;
  const { sentences, rest } = topicSentences(topics, shareText(margin));
  const found = [...lead, ...sentences];
  // If nothing was decided, the undecided part is the answer. It is not repeated.
  const measured = found.length === 0 ? [rest ?? nothing] : found;
  const all = headline ?? measured;
  const hasRest = rest !== undefined && (headline !== undefined || found.length > 0);
  const sure = headline === undefined && hasRest ? `${certainty} ${inBrief(rest)}` : certainty;
  const shown = fitting(all.slice(0, parts.mostSentences ?? 2), linesOf(parts));
  const block = firstScreen(parts, shown, sure);
  const more = [
    parts.question,
    ...all.slice(shown.length),
    ...(headline === undefined ? [] : measured.filter((text) => !headline.includes(text))),
    ...(hasRest && found.length > 0 && !sure.includes(rest) ? [rest] : []),
    ...(parts.beside ?? []),
  ];
  const [outcome] = pairOutcomes(topics);
  return { block, finding: all[0] as Text, more, ...defined({ outcome }) };
}

function firstScreen(
  { notes, table, chart, items = [], advice }: AnswerParts,
  shown: readonly Text[],
  sure: string,
): FirstScreen {
  const blocks: readonly Block[] = [
    ...notes,
    paragraph(shown.flatMap((text, index) => [...(index === 0 ? [] : [" "]), ...spansOf(text)])),
    ...(table === undefined ? [] : [table]),
    list([...items, ...(advice === undefined ? [] : [advice]), [strong("How sure:"), ` ${sure}`]]),
  ];
  return { kind: "first-screen", blocks, ...defined({ chart }) };
}

/** Returns the terminal lines of the table, with its curves. */
function linesOf({ table, chart }: Pick<AnswerParts, "table" | "chart">): number {
  if (table === undefined) return 0;
  return 1 + table.rows.length + (chart?.curves?.length ?? 0);
}

/** Keeps the first sentences, as many as fit. The table shows what the others say. */
function fitting(sentences: readonly Text[], tableLines: number): readonly Text[] {
  const most = Math.max(mostSentenceLines, mostLinesWithTable - tableLines);
  const lines = wrapped(sentences.map(plain).join(" ")).length;
  return sentences.length > 1 && lines > most
    ? fitting(sentences.slice(0, -1), tableLines)
    : sentences;
}

/** Removes the intervals, which are shown below, from a long text on what is undecided. */
function inBrief(rest: string): string {
  return rest.length > mostUndecided ? rest.replaceAll(/ \(95 ?% CI [^()]*\)/g, "") : rest;
}
