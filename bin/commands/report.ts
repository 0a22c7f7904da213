import type { Manifest } from "../../lib/contract/types/contract.ts";
import { checksumsPath } from "../../lib/protocol/checksums.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { printReport } from "./print-report.ts";
import { readPrices } from "./read-prices.ts";
import { storedManifest } from "./stored-manifest.ts";
import { openRun, type StoredRun } from "./stored-run.ts";
import { type Verification, verifyRun } from "./verify-run.ts";
import { renderStored } from "./write-report.ts";

export interface ReportWords {
  readonly prices?: string;
  readonly json?: true;
}

/**
 * `kelvin report`: renders a run's report again from its samples, once they are known to be those
 * that were measured; returns the exit code. What the run left stays as it is, its manifest included.
 */
export async function report(folder: string, words: ReportWords): Promise<number> {
  const prices = readPrices(words.prices);
  const run = await openRun("folder", folder);
  const verification = await verifyRun(run.store, folder);
  const manifest = await storedManifest(run, verification, prices);
  const rendered = await renderStored(run.store, run.plan, manifest, prices);
  for (const [path, text] of Object.entries(rendered.files)) {
    if (path !== "manifest.json") await run.store.writeText(path, text);
  }
  sayWhatIsNew(run, rendered.manifest, verification);
  printReport(rendered, folder, words.json === true);
  return rendered.manifest.status === "complete" ? exitCodes.complete : exitCodes.partial;
}

/** On stderr: what the run itself did not know of when it ended. */
function sayWhatIsNew(
  { plan, manifest }: StoredRun,
  { warnings }: Manifest,
  verification: Verification,
): void {
  const progress = new Progress();
  const known = new Set((manifest ?? plan).warnings);
  for (const warning of warnings) if (!known.has(warning)) progress.say(warning);
  if (verification.kind === "no-checksums") return;
  progress.say(`${verification.files} files verified against ${checksumsPath}`);
}
