import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const text = readFileSync(join(root, "docs", "architecture.md"), "utf8");
const isThere = (path: string) => existsSync(join(root, path));

/** The files of the numbered list after the line that begins so. */
function filesAfter(begin: string): readonly string[] {
  const [, after = ""] = text.split(`\n${begin}`);
  const list = after.split("\n\n")[1] ?? "";
  return list.split("\n").map((line) => /^\d+\. `([^`]+)`/.exec(line)?.[1] ?? `no file: ${line}`);
}

describe("docs/architecture.md", () => {
  it("names files that exist", () => {
    const named = [...text.matchAll(/`((?:lib|bin|lambdas|test|docs)\/[\w./-]+\.\w+)`/g)];
    const paths = named.map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each([
    ["From the console's input", 12],
    ["From the Runtime API", 16],
  ])("shows a way of files that exist: %s, at most %i", (begin, most) => {
    const files = filesAfter(begin);
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(most);
    expect(files.filter((file) => !isThere(file))).toEqual([]);
  });
});

describe("a decision", () => {
  const folder = join(root, "docs", "decisions");
  const index = readFileSync(join(folder, "README.md"), "utf8");
  const decisions = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));

  it("is listed in the index once, by its file", () => {
    const listed = [...index.matchAll(/\((\d{4}-[\w-]+\.md)\)/g)].map(([, name = ""]) => name);
    expect(listed.toSorted()).toEqual(decisions.toSorted());
  });

  it.each(decisions)("says in its first line whether it is superseded: %s", (name) => {
    const [first = "", ...body] = readFileSync(join(folder, name), "utf8").split("\n");
    const isSuperseded = body.some((line) => /^\W*Superseded\W* by/.test(line));
    expect(/\(superseded by \d+\)$/.test(first)).toBe(isSuperseded);
  });
});
