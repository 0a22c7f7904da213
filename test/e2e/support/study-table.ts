import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";

/** The lines of a document's table, by its name there. */
export function publishedTable(document: string, name: string): readonly string[] {
  const text = readFileSync(join(projectPaths.root, "docs", document), "utf8");
  const table = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*)\\n<!-- /${name} -->`).exec(text)?.[1];
  return table?.split("\n") ?? [];
}

export function columns(row: string): readonly string[] {
  return row.split("|").map((cell) => cell.trim());
}

/**
 * Holds a study's command to the rows that are published, by their first two columns, where it simulates one
 * run; and that it refuses a number of runs that is none.
 */
export function expectToPrint(
  published: readonly string[],
  script: string,
  runsOption: string,
): void {
  const command = ["--import", "tsx", join("bench", script), runsOption];
  const options = { cwd: projectPaths.root, encoding: "utf8", stdio: "pipe" } as const;
  const printed = execFileSync(process.execPath, [...command, "1"], options);
  const firstColumns = (row: string) => columns(row).slice(0, 3);
  expect(printed.trimEnd().split("\n").map(firstColumns)).toEqual(published.map(firstColumns));
  const refused = spawnSync(process.execPath, [...command, "many"], options);
  expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: "" });
}
