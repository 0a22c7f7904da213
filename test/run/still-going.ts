import { stripVTControlCharacters } from "node:util";
import { formatDuration } from "../../bin/progress.ts";

/** A step of which nothing is printed before its end. */
export interface StepUnderWay {
  readonly name: string;
  /** On performance.now()'s clock. */
  readonly startedMs: number;
  /** What it has printed so far. */
  readonly lines: readonly string[];
}

const everyMs = 60_000;
const longestDetail = 80;

/** Names the steps under way every minute, for as long as there are any; returns what ends that. */
export function sayStillGoing(
  underWay: ReadonlySet<StepUnderWay>,
  print: (line: string) => void,
): () => void {
  const timer = setInterval(() => {
    if (underWay.size > 0) print(stillGoingText([...underWay], performance.now()));
  }, everyMs);
  return () => clearInterval(timer);
}

/** The steps, the longest first and with the line that it printed last. */
export function stillGoingText(steps: readonly StepUnderWay[], nowMs: number): string {
  const longestFirst = [...steps].sort((a, b) => a.startedMs - b.startedMs);
  const said = longestFirst.map(({ name, startedMs, lines }, index) => {
    const detail = index === 0 ? lastLineOf(lines) : "";
    return `${name} ${formatDuration(nowMs - startedMs)}${detail && ` (${detail})`}`;
  });
  return `.. still going: ${said.join(", ")}`;
}

/** Without colours and blank lines; shortened. */
function lastLineOf(lines: readonly string[]): string {
  const last = lines.findLast((line) => stripVTControlCharacters(line).trim() !== "") ?? "";
  const text = stripVTControlCharacters(last).trim();
  return text.length > longestDetail ? `${text.slice(0, longestDetail)}...` : text;
}
