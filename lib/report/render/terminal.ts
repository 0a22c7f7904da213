import {
  type Block,
  type FirstScreen,
  type Note,
  plain,
  spansOf,
  type Text,
  warning,
} from "../document/document.ts";
import { plural } from "../document/format.ts";
import { terminalWidth, wrapped } from "../document/wrapped.ts";
import { sparklines } from "./sparklines.ts";
import { tableLines } from "./terminal-table.ts";

/** The number of terminal lines of a first screen, with those that a command adds below it. */
const mostLines = 18;

interface Surroundings {
  /**
   * The number of lines that the command prints below.
   * @default 2, the report's path and the outcome in one sentence
   */
  readonly linesBelow?: number;
  /**
   * The file, or the option, that shows all notes.
   * @default "report.md"
   */
  readonly allNotesIn?: string;
}

/** What to leave out of a first screen with too many lines. */
interface Layout {
  /** The notes that are shown together in few words: none, those that are not grave, or all. */
  readonly folded: "none" | "ordinary" | "all";
  /** Whether a blank line separates the table from the text below it. */
  readonly isSpaced: boolean;
  readonly hasCurves: boolean;
}

/** The layouts to try, the most complete first. */
const layouts: readonly Layout[] = [
  { folded: "none", isSpaced: true, hasCurves: true },
  { folded: "ordinary", isSpaced: true, hasCurves: true },
  { folded: "ordinary", isSpaced: false, hasCurves: true },
  { folded: "ordinary", isSpaced: false, hasCurves: false },
  { folded: "all", isSpaced: false, hasCurves: false },
];

/** Renders the first screen for a terminal with 80 columns, in the most complete layout that fits. */
export function renderTerminal(
  title: string,
  screen: FirstScreen,
  { linesBelow = 2, allNotesIn = "report.md" }: Surroundings = {},
): string {
  const room = mostLines - linesBelow;
  const texts = layouts.map((layout) => screenText(title, screen, layout, allNotesIn));
  return `${texts.find((text) => linesIn(text) <= room) ?? texts.at(-1)}\n`;
}

/** Returns whether so many lines fit below a first screen. */
export function hasRoomBelow(headline: string, lines: number): boolean {
  return linesIn(headline.trimEnd()) + lines <= mostLines;
}

function linesIn(text: string): number {
  return text.split("\n").length;
}

function screenText(
  title: string,
  { blocks, chart }: FirstScreen,
  { folded, isSpaced, hasCurves }: Layout,
  allNotesIn: string,
): string {
  const notes = blocks.filter((block) => block.kind === "note");
  const isApart = ({ isGrave }: Note) => folded === "none" || (folded === "ordinary" && isGrave);
  const noted = [
    ...notes.filter(isApart).flatMap((note) => noteLines(note)),
    ...foldedNotes(
      notes.filter((note) => !isApart(note)),
      allNotesIn,
    ),
  ];
  const curves = hasCurves ? sparklines(chart?.curves ?? [], terminalWidth) : [];
  const parts = blocks.flatMap((block) => {
    if (block.kind === "note") return [];
    if (block.kind !== "table") return [{ text: blockText(block), gap: "\n\n" }];
    const text = [...tableLines(block), ...curves].join("\n");
    return [{ text, gap: isSpaced ? "\n\n" : "\n" }];
  });
  const texts = parts.map(({ text, gap }, index) =>
    index === parts.length - 1 ? text : `${text}${gap}`,
  );
  return [plain(title), ...noted, texts.join("")].join("\n");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "list":
      return block.items.flatMap((item) => wrapped(plain(item))).join("\n");
    case "paragraph":
      return wrapped(plain(block.text)).join("\n");
    default:
      return "";
  }
}

/** Prints a note in two lines, or three at most. Later lines are indented, to set the note apart from the answer. */
function noteLines({ tone, text }: Note, longest = longestNote): readonly string[] {
  const note = `${tone === "warning" ? "WARNING: " : ""}${noteText(text, longest)}`;
  return wrapped(note, terminalWidth - indent.length).map((line, index) =>
    index === 0 ? line : `${indent}${line}`,
  );
}

const indent = "  ";
const [longestNote, longestFolded, longestBriefs] = [220, 140, 100];

/**
 * Returns the notes in few lines: one note by its main sentence, several warnings by a few words each, the grave ones
 * first. Notes beyond two lines are counted, unless they are grave or the first.
 */
function foldedNotes(notes: readonly Note[], allNotesIn: string): readonly string[] {
  const warnings = notes
    .filter(({ tone }) => tone === "warning")
    .toSorted((a, b) => Number(b.isGrave ?? false) - Number(a.isGrave ?? false));
  if (warnings.length === 0 || notes.length < 2) {
    return notes.flatMap((note) =>
      noteLines({ ...note, text: mainSentence(note.text) }, longestFolded),
    );
  }
  const printed: string[] = [];
  for (const { brief, text, isGrave } of warnings) {
    const phrase = brief ?? plain(mainSentence(text)).replace(/[.:]$/, "");
    const isShort = [...printed, phrase].join("; ").length <= longestBriefs;
    if (isGrave || isShort || printed.length === 0) printed.push(phrase);
  }
  const rest = notes.length - printed.length;
  const where = `${rest === 0 ? "" : `and ${plural(rest, "more note")}: `}see ${allNotesIn}`;
  return noteLines(warning(`${printed.join("; ")} (${where})`), Number.POSITIVE_INFINITY);
}

/** Returns the part in bold if it is a sentence; otherwise the whole text. */
function mainSentence(text: Text): Text {
  const [lead] = spansOf(text);
  const isSentence = typeof lead === "object" && lead.mark === "strong" && /[.!?]$/.test(lead.text);
  return isSentence ? [lead] : text;
}

/**
 * Shortens a long note to as many of its first sentences as fit: at least the part in bold, and never an announcement
 * (`Not measured:`) without part of its list.
 */
function noteText(text: Text, longest: number): string {
  const whole = plain(text);
  if (whole.length <= longest) return whole;
  const lead = plain(typeof text === "string" ? "" : text.slice(0, 1));
  const sentences = lastEnd(whole.slice(0, longest + 1), /[.!?](?= )/g);
  if (sentences >= lead.length && sentences > 0) return whole.slice(0, sentences);
  if (lead.length > longest && !lead.endsWith(":")) return lead;
  const items = lastEnd(whole.slice(0, longest), /[;,](?= )| (?=\S)/g);
  return `${whole.slice(0, items).replace(/[;, ]+$/, "")} …`;
}

/** Returns the end index of the last match, or 0 if there is none. */
function lastEnd(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((_, match) => match.index + match[0].length, 0);
}
