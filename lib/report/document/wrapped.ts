/** Columns of a terminal for which the first screen is laid out. */
export const terminalWidth = 80;

/** The lines of a text that is wrapped at spaces, so that the terminal's edge cuts no word. */
export function wrapped(text: string, width = terminalWidth): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
