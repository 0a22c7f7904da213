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

/** The parts of a report's answer. */
interface AnswerParts {
  readonly question: string;
  /** Notes to read before any number. */
  readonly notes: readonly Note[];
  /** Conclusions that no single comparison supports; they precede the sentences on comparisons. */
  readonly lead?: readonly Text[];
  readonly topics: readonly Topic[];
  /** The sentence to use if no topic has a comparison. */
  readonly nothing: string;
  readonly margin: number;
  readonly advice?: Text;
  /** Separate items that a reader acts on one by one. */
  readonly items?: readonly Text[];
  readonly certainty: string;
  /** The figures compared with Lambda's. */
  readonly beside?: readonly Text[];
  readonly chart?: Chart;
}

/** The answer: its first screen, and the sentences that do not fit there. */
export interface Answer {
  readonly block: FirstScreen;
  /** The first of the sentences, which represents the report in a list of several. */
  readonly finding: Text;
  /** Sentences beyond those of the first screen. */
  readonly more: readonly Text[];
}

const mostSentences = 2;

/** The finding in one or two sentences, the advice, its certainty, and the chart that shows it. */
export function answer(parts: AnswerParts): Answer {
  const { question, notes, lead = [], topics, nothing, margin, advice, certainty } = parts;
  const { sentences, untold } = sayTopics(topics, percent(margin));
  const found = [...lead, ...sentences];
  // If nothing was decided, the undecided part is the answer, and it is not repeated.
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
