import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FunctionOptions } from "../../lib/import/imported-cells.ts";
import { importedRun } from "../../lib/import/imported-run.ts";
import { readSource } from "../../lib/import/read-source.ts";
import type { ReadSource, SourceText } from "../../lib/import/source.ts";

/** Where a golden input lies. */
export function goldenPath(name: string): string {
  return join(import.meta.dirname, "golden", name);
}

export function golden(name: string): SourceText {
  return { name, text: readFileSync(goldenPath(name), "utf8") };
}

/** A golden input as it is detected and read. */
export function readGolden(name: string): ReadSource {
  return readSource(golden(name));
}

/** A log of this text as it is read. */
export function readText(text: string): ReadSource {
  return readSource({ name: "a.log", text });
}

/** Three request ids. */
export const ids = [1, 2, 3].map((n) => `6f2b1c7e-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

/** Two log streams. */
export const [first, second] = ["1", "2"].map((id) => `2026/01/05/[$LATEST]${id.repeat(32)}`) as [
  string,
  string,
];

export const start = (id: string) => `START RequestId: ${id} Version: $LATEST`;

/** A REPORT of a cold and one of a warm call. */
export const cold = `REPORT RequestId: ${ids[0]}\tDuration: 41.20 ms\tBilled Duration: 154 ms\tMemory Size: 128 MB\tMax Memory Used: 38 MB\tInit Duration: 112.10 ms\t`;
export const warm = `REPORT RequestId: ${ids[1]}\tDuration: 2.48 ms\tBilled Duration: 3 ms\tMemory Size: 128 MB\tMax Memory Used: 39 MB\t`;

/** Lambda's record of a warm call in its JSON format. */
export const record = (requestId: string, metrics: object = {}) => ({
  ...{ time: "2026-01-05T10:00:00.154Z", type: "platform.report" },
  record: {
    ...{ requestId, status: "success" },
    metrics: { durationMs: 2.48, memorySizeMB: 128, maxMemoryUsedMB: 39, ...metrics },
  },
});

export const importedRunId = "20260105T1000Z-abc123";

/** The run of these sources, of a function on arm64. */
export function importOf(sources: readonly ReadSource[], words: FunctionOptions) {
  const createdAt = "2026-01-06T10:00:00.000Z";
  const stamp = { runId: importedRunId, createdAt, pricesDate: "2026-01-01", sha256: ["00"] };
  return importedRun(sources, { architecture: "arm64", ...words }, stamp);
}

/** The end of the request ids of the golden inputs. */
export function shortIds({ invocations }: ReadSource): readonly string[] {
  return invocations.map(({ requestId = "none" }) => requestId.slice(-1));
}
