import { existsSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

/** What a step of `npm test` came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Each failed test in a line, as far as the runner names it. */
  readonly failures: readonly string[];
}

/** The part of vitest's JSON report that is read: Jest's format. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Of vitest's JSON report, which is removed; nothing where vitest left none. */
export function vitestCounts(jsonPath: string): Counts {
  if (!existsSync(jsonPath)) return { passed: 0, failed: 0, failures: [] };
  const report = JSON.parse(readFileSync(jsonPath, "utf8")) as VitestReport;
  rmSync(jsonPath);
  const { numPassedTests: passed, numFailedTests: failed } = report;
  return { passed, failed, failures: report.testResults.flatMap(failuresOfFile) };
}

function failuresOfFile(file: VitestReport["testResults"][number]): readonly string[] {
  const path = relative(projectPaths.root, file.name);
  const tests = file.assertionResults.filter(({ status }) => status === "failed");
  // A file that could not be read to its end has no failed test.
  if (tests.length === 0 && file.status === "failed")
    return [`${path}: ${firstLine(file.message)}`];
  return tests.map(
    ({ fullName, failureMessages: [message = ""] }) =>
      `${path} > ${fullName}: ${firstLine(message)}`,
  );
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

/** Of the last line that pytest printed. */
export function pytestCounts(lines: readonly string[]): Counts {
  return {
    passed: lastNumber(lines, /(\d+) passed/),
    failed: lastNumber(lines, /(\d+) failed/),
    failures: lines.filter((line) => /^(FAILED|ERROR) /.test(line)),
  };
}

/** Of what each test binary printed. */
export function cargoCounts(lines: readonly string[]): Counts {
  const results = lines.filter((line) => line.startsWith("test result:"));
  const sum = (pattern: RegExp) =>
    results.reduce((total, line) => total + lastNumber([line], pattern), 0);
  const failures = lines.filter((line) => /^test .* \.\.\. FAILED$/.test(line));
  return { passed: sum(/(\d+) passed/), failed: sum(/(\d+) failed/), failures };
}

function lastNumber(lines: readonly string[], pattern: RegExp): number {
  const found = lines.map((line) => pattern.exec(line)?.[1]).filter((text) => text !== undefined);
  return Number(found.at(-1) ?? 0);
}
