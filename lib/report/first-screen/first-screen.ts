import {
  type Block,
  type Chart,
  type FirstScreen,
  list,
  type Note,
  paragraph,
  strong,
  type Text,
} from "../document/document.ts";
import { percent } from "../document/format.ts";
import { sayTopics } from "./sentences.ts";
import type { Topic } from "./topic.ts";

/** What the answer of a report is put together from. */
interface AnswerParts {
  readonly question: string;
  /** What must be known before a number is read. */
  readonly notes: readonly Note[];
  /** A conclusion that no single comparison holds; before the sentences on comparisons. */
  readonly lead?: readonly Text[];
  readonly topics: readonly Topic[];
  /** Said where no topic has a comparison. */
  readonly nothing: string;
  readonly margin: number;
  readonly advice?: Text;
  /** Items of their own, where a reader acts on each of them. */
  readonly items?: readonly Text[];
  readonly certainty: string;
  /** How the figures stand to Lambda's. */
  readonly beside?: readonly Text[];
  readonly chart?: Chart;
}

/** The answer: on the first screen, and what has no room there. */
export interface Answer {
  readonly block: FirstScreen;
  /** The first of the sentences, which stand for the report in a list of several. */
  readonly finding: Text;
  /** Sentences beyond those of the first screen. */
  readonly more: readonly Text[];
}

const mostSentences = 2;

/** What was found in one or two sentences, what to do, how sure that is, and the chart that shows it. */
export function answer(parts: AnswerParts): Answer {
  const { question, notes, lead = [], topics, nothing, margin, advice, certainty } = parts;
  const { sentences, untold } = sayTopics(topics, percent(margin));
  const found = [...lead, ...sentences];
  // Where nothing was decided, what is undecided is the answer, and is not said twice.
  const all = found.length === 0 ? [untold ?? nothing] : found;
  const isSaid = found.length === 0;
  const shown = all.slice(0, mostSentences);
  const items: readonly Text[] = [
    ...(parts.items ?? []),
    ...(advice === undefined ? [] : [[strong("What to do:"), " ", ...spansOf(advice)]]),
    [strong("How sure:"), ` ${certainty}${untold === undefined || isSaid ? "" : ` ${untold}`}`],
    ...(parts.beside ?? []),
  ];
  const blocks: readonly Block[] = [
    ...notes,
    paragraph(question),
    paragraph(shown.flatMap((text, index) => [...(index === 0 ? [] : [" "]), ...spansOf(text)])),
    list(items),
  ];
  const block: FirstScreen = {
    kind: "first-screen",
    blocks,
    ...(parts.chart !== undefined && { chart: parts.chart }),
  };
  return { block, finding: all[0] as Text, more: all.slice(mostSentences) };
}

function spansOf(text: Text) {
  return typeof text === "string" ? [text] : text;
}
