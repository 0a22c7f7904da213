import { type Block, type FirstScreen, plain, type Text } from "../document/document.ts";
import { barLines } from "./bars.ts";

/** The first screen for a terminal: at most 30 lines of 100 columns, unless warnings need more. */
export function renderTerminal(title: string, { blocks, chart }: FirstScreen): string {
  const said = blocks.map(blockText);
  const head = [plain(title), ...said].join("\n\n");
  const room = mostLines - head.split("\n").length - 2;
  const bars = chart?.bars === undefined ? [] : barLines(chart.bars, room, terminalWidth);
  const picture = bars.length === 0 ? "" : `\n\n${bars.join("\n")}`;
  return `${head}${picture}\n`;
}

const mostLines = 28;
const terminalWidth = 100;

function blockText(block: Block): string {
  switch (block.kind) {
    case "note":
      return wrapped(`${block.tone === "warning" ? "WARNING: " : ""}${noteText(block.text)}`);
    case "list":
      return block.items.map((item) => wrapped(plain(item))).join("\n");
    case "paragraph":
    case "heading":
      return wrapped(plain(block.text));
    default:
      return "";
  }
}

const longestNote = 220;

/**
 * Shortens a long note to as many of its first sentences as fit: at least the part in bold, and never an
 * announcement (`Not measured:`) without part of its list.
 */
function noteText(text: Text): string {
  const whole = plain(text);
  if (whole.length <= longestNote) return whole;
  const lead = plain(typeof text === "string" ? "" : text.slice(0, 1));
  const sentences = lastEnd(whole.slice(0, longestNote + 1), /[.!?](?= )/g);
  if (sentences >= lead.length && sentences > 0) return whole.slice(0, sentences);
  if (lead.length > longestNote && !lead.endsWith(":")) return lead;
  const items = lastEnd(whole.slice(0, longestNote), /[;,](?= )| (?=\S)/g);
  return `${whole.slice(0, items).replace(/[;, ]+$/, "")} …`;
}

/** The end index of the last match; 0 if there is none. */
function lastEnd(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((_, match) => match.index + match[0].length, 0);
}

/** Wraps text at spaces, so that the terminal's edge cuts no word. */
function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > terminalWidth) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
