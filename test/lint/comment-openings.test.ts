import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const folders = ["lib", "bin", "bench", "lambdas"];
const madeByTools = new Set(["node_modules", "target", "dist", "types", ".venv", "__pycache__"]);
const languages = new Set([".ts", ".mjs", ".rs", ".py"]);

/** A comment names its subject, which these words put off; `On-demand` and the like are AWS's terms. */
const fragment = /^(What|Of|By|As|Where|How|In|With|From|For|To|That|Which|Not|On|At)(?![\w'-])/;
/** Share of comments that may open so. */
const largestShare = 0.05;

interface Opening {
  readonly line: number;
  readonly text: string;
}

/** The first line of each comment: of a block, and of line comments that follow each other. */
function openingsOf(source: string, extension: string): readonly Opening[] {
  const lineComment = extension === ".py" ? /^\s*#\s+(.*)/ : /^\s*\/\/[/!]?\s+(.*)/;
  const openings: Opening[] = [];
  let isInside = false;
  let awaitsText = false;
  for (const [index, line] of source.split("\n").entries()) {
    const begun = extension === ".py" ? undefined : /^\s*\/\*\*?\s*(.*)/.exec(line)?.[1];
    const text: string | undefined =
      begun ?? (awaitsText ? line.replace(/^\s*\*?\s*/, "") : lineComment.exec(line)?.[1]);
    if (begun !== undefined || awaitsText) {
      awaitsText = text === "";
      isInside = false;
      if (text !== undefined && text !== "") openings.push({ line: index + 1, text });
      continue;
    }
    if (text !== undefined && !isInside) openings.push({ line: index + 1, text });
    isInside = text !== undefined;
  }
  return openings;
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return madeByTools.has(entry.name) ? [] : filesOf(path);
    return languages.has(extname(entry.name)) ? [path] : [];
  });
}

it("finds the opening of every kind of comment once", () => {
  const source = [
    "/** Of the first kind. */",
    "/**",
    " * What a block says,",
    " * Where it goes on.",
    " */",
    "// By two lines,",
    "// As one comment.",
    "const on = 1; // At the end of a line: not counted.",
    "/** On-demand capacity is a term. */",
    "/** `x` names its subject. */",
  ].join("\n");
  const found = openingsOf(source, ".ts");
  expect(found.map(({ line }) => line)).toEqual([1, 3, 6, 9, 10]);
  expect(found.filter(({ text }) => fragment.test(text)).map(({ line }) => line)).toEqual([
    1, 3, 6,
  ]);
  expect(openingsOf("# In Python\n# as well\nx = 1\n# Of x", ".py")).toEqual([
    { line: 1, text: "In Python" },
    { line: 4, text: "Of x" },
  ]);
});

it("at most 5% of comments open with What, Of, By, As, Where or the like", () => {
  const comments = folders.flatMap(filesOf).flatMap((path) =>
    openingsOf(readFileSync(join(root, path), "utf8"), extname(path)).map(({ line, text }) => ({
      place: `${path}:${line}: ${text}`,
      isFragment: fragment.test(text),
    })),
  );
  const fragments = comments.filter(({ isFragment }) => isFragment).map(({ place }) => place);
  expect(comments.length).toBeGreaterThan(1000);
  const isTooMany = fragments.length > largestShare * comments.length;
  expect(isTooMany ? fragments : []).toEqual([]);
});
