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
import { sayTopics, type Topic } from "./sentences.ts";

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
  const isCompared = topics.some(({ compared }) => compared.length > 0);
  const none = isCompared ? "No difference that this run can tell." : nothing;
  const all = found.length === 0 ? [none] : found;
  const shown = all.slice(0, mostSentences);
  const items: readonly Text[] = [
    ...(parts.items ?? []),
    ...(advice === undefined ? [] : [[strong("What to do:"), " ", ...spansOf(advice)]]),
    [strong("How sure:"), ` ${certainty}${untold === undefined ? "" : ` ${untold}`}`],
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
