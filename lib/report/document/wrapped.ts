/** Width of the terminal, in columns, for which the first screen is laid out. */
export const terminalWidth = 80;

const spaceBeforeUnit = /(?<=\d) (?=(?:[mµ]?s|min|h|[KMG]B|[MG]Hz|vCPUs?)\b)|(?<=\d%) (?=CIs?\b)/g;
const intervalInText = /(?:(?<=\d×) (?=\[)|(?<=\[[\d.]+,) (?=[\d.]+\]))/g;
const rangeInText = /(?<=\d) to (?=\d)/g;

/**
 * Replaces each space between a number and its unit, and those of a range such as `76 to 350 ms`, with a no-break
 * space; the length stays the same.
 */
export function withUnbrokenUnits(text: string): string {
  return text
    .replace(spaceBeforeUnit, "\u00a0")
    .replace(rangeInText, "\u00a0to\u00a0")
    .replace(/\bn = (?=\d)/g, "n\u00a0=\u00a0");
}

/** Wraps a text at spaces, so that the terminal's edge cuts no word, and a number stays with its unit and interval. */
export function wrapped(text: string, width = terminalWidth): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of withUnbrokenUnits(text).replace(intervalInText, "\u00a0").split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => each.replaceAll("\u00a0", " "));
}
