import { existsSync, readFileSync, rmSync } from "node:fs";

/** What a step of `npm test` came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Of vitest's JSON report, which is removed; nothing where vitest left none. */
export function vitestCounts(jsonPath: string): Counts {
  if (!existsSync(jsonPath)) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(jsonPath, "utf8"));
  rmSync(jsonPath);
  return { passed: numPassedTests, failed: numFailedTests };
}

/** Of the last line that pytest printed. */
export function pytestCounts(lines: readonly string[]): Counts {
  return { passed: lastNumber(lines, /(\d+) passed/), failed: lastNumber(lines, /(\d+) failed/) };
}

/** Of what each test binary printed. */
export function cargoCounts(lines: readonly string[]): Counts {
  const results = lines.filter((line) => line.startsWith("test result:"));
  const sum = (pattern: RegExp) =>
    results.reduce((total, line) => total + lastNumber([line], pattern), 0);
  return { passed: sum(/(\d+) passed/), failed: sum(/(\d+) failed/) };
}

function lastNumber(lines: readonly string[], pattern: RegExp): number {
  const found = lines.map((line) => pattern.exec(line)?.[1]).filter((text) => text !== undefined);
  return Number(found.at(-1) ?? 0);
}
