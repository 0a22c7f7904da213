import { readFileSync } from "node:fs";
import { join } from "node:path";
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

/** The end of the request ids of the golden inputs. */
export function shortIds({ invocations }: ReadSource): readonly string[] {
  return invocations.map(({ requestId = "none" }) => requestId.slice(-1));
}
