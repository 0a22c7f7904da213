/** The part of a stream that decides whether styles are written to it. */
interface StyledStream {
  readonly isTTY?: boolean | undefined;
}

const styles = { bold: "1", red: "31", green: "32", yellow: "33" } as const;

/**
 * Returns the first screen with its answer in bold and its verdicts in colour, for a terminal; unchanged for a pipe,
 * a dumb terminal, and if NO_COLOR is set to anything (https://no-color.org).
 */
export function styledScreen(
  text: string,
  stream: StyledStream = process.stdout,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { NO_COLOR: noColor = "", TERM: terminal } = environment;
  if (stream.isTTY !== true || noColor !== "" || terminal === "dumb") return text;
  const [title = "", ...lines] = text.split("\n");
  const first = lines.findIndex((line) => !isOfNote(line));
  const [notes, rest] = [lines.slice(0, first), lines.slice(first)];
  const [answer = "", ...others] = rest.join("\n").split("\n\n");
  const head = [inEachLine("bold", title), ...notes.map(withVerdicts), inEachLine("bold", answer)];
  return [head.join("\n"), ...others.map(withVerdicts)].join("\n\n");
}

/** Returns whether the line belongs to a note above the answer, as its first line or an indented one. */
function isOfNote(line: string): boolean {
  return /^(?:WARNING:|Not measured:|Not compared, | {2}\S)/.test(line);
}

function styled(style: keyof typeof styles, text: string): string {
  return `\u001b[${styles[style]}m${text}\u001b[0m`;
}

/** Styles each line separately: pagers reset the style at the end of a line. */
function inEachLine(style: keyof typeof styles, text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? line : styled(style, line)))
    .join("\n");
}

/** Colours verdicts, which end a row or follow an amount, and ratios to the baseline, which end in ×. */
function withVerdicts(text: string): string {
  return text
    .replace(/^WARNING:/gm, (word) => styled("yellow", word))
    .replace(/(?<= {2})(slower|faster)(?: \d+\/\d+)?$/gm, (text, verdict: string) =>
      styled(verdict === "slower" ? "red" : "green", text),
    )
    .replace(/[\d.,–]+[×%](?: \[[^\]]*\])? (slower|faster)/g, (amount, verdict: string) =>
      styled(verdict === "slower" ? "red" : "green", amount),
    )
    .replace(/\d+\.\d+×(?! (?:\[|slower|faster))/g, (ratio) =>
      styled(Number.parseFloat(ratio) > 1 ? "red" : "green", ratio),
    );
}
