/** A row of a table by its column heads. */
export type Row = Readonly<Record<string, string>>;

/** The rows of the first table whose caption begins so; throws when there is none. */
export function tableRows(markdown: string, captionStart: string): readonly Row[] {
  const lines = markdown.split("\n");
  const caption = lines.findIndex((line) => line.startsWith(captionStart));
  if (caption < 0) throw new Error(`no table is captioned ${captionStart}`);
  const start = lines.findIndex((line, index) => index > caption && line.startsWith("|"));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  const [head, , ...rows] = lines.slice(start, end).map(cellsOf);
  return rows.map((cells) =>
    Object.fromEntries((head ?? []).map((label, index) => [label, cells[index] ?? ""])),
  );
}

/** The one row that has these cells. */
export function rowWith(rows: readonly Row[], wanted: Row): Row {
  const found = rows.filter((row) =>
    Object.entries(wanted).every(([label, text]) => row[label] === text),
  );
  if (found.length !== 1) throw new Error(`${found.length} rows have ${JSON.stringify(wanted)}`);
  return found[0] as Row;
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
