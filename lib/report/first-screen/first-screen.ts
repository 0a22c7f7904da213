import { defined } from "../../contract/defined.ts";
import {
  type Block,
  type Chart,
  type FirstScreen,
  list,
  type Note,
  paragraph,
  spansOf,
  strong,
  type Table,
  type Text,
} from "../document/document.ts";
import { countsText, type Phrase } from "../phrases.ts";
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
  /** The sentences above its table. */
  readonly shown: readonly Text[];
  /** What is decided most strongly, or else what leaves the comparisons open. Absent if nothing was compared. */
  readonly strongest?: Phrase;
  /** The first of the sentences, which represents the report in a list of several reports. */
  readonly finding: Text;
  /** Sentences beyond those of the first screen. */
  readonly more: readonly Text[];
  /** The strongest comparison, for a table of several reports. Absent if nothing was compared. */
  readonly outcome?: PairOutcome;
}

/** Returns the finding in one or two sentences, the table that shows it, the advice and how sure it is. */
export function answer(parts: AnswerParts): Answer {
  const { lead = [], topics, nothing, margin, headline, certainty } = parts;
  const { sentences, rest } = topicSentences(topics, margin);
  const found = [...lead, ...sentences];
  // If nothing was decided, what is open is the answer.
  const measured: readonly Text[] = found.length > 0 ? found : rest.length > 0 ? rest : [nothing];
  const all = headline ?? measured;
  const shown = all.slice(0, parts.mostSentences ?? 2);
  const verdicts = topics.flatMap(({ compared }) => compared.map(({ verdict }) => verdict));
  const isOpen = headline === undefined && sentences.length > 0 && rest.length > 0;
  const counts = isOpen ? ` Of all comparisons, ${countsText(verdicts)}.` : "";
  const block = firstScreen(parts, shown, `${certainty}${counts}`);
  const said = [...all, ...(headline === undefined ? [] : measured), ...rest];
  const more = [
    parts.question,
    ...[...new Set(said)].filter((text) => !shown.includes(text)),
    ...(parts.beside ?? []),
  ];
  const [outcome] = pairOutcomes(topics);
  const strongest = sentences[0] ?? rest[0];
  return { block, shown, finding: all[0] as Text, more, ...defined({ strongest, outcome }) };
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
