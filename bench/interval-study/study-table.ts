import type { StudyOptions } from "./simulated.ts";

/** A table of docs/coverage.md. */
export interface StudyTable {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: (options: StudyOptions) => Iterable<string>;
}

/** Returns a table whose first columns are text and the others shares. */
export function studyTable(
  name: string,
  labels: readonly string[],
  shares: readonly string[],
  rows: StudyTable["rows"],
): StudyTable {
  const rule = [...labels.map(() => "---"), ...shares.map(() => "---:")];
  return { name, head: [line([...labels, ...shares]), line(rule)], rows };
}

export function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
