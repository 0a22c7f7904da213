import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Baseline, withBaseline } from "./baseline.ts";

const path = join(import.meta.dirname, "first-request-baseline.json");

/** The accepted counts, one baseline for each place. */
export function readBaselines(): readonly Baseline[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly Baseline[]) : [];
}

/** Stores a baseline, replacing that of the same place. */
export function storeBaseline(baseline: Baseline): void {
  writeFileSync(path, `${JSON.stringify(withBaseline(readBaselines(), baseline), null, 2)}\n`);
}
