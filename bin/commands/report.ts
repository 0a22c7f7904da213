import { InvalidInput } from "../../lib/contract/errors.ts";
import { shareOf } from "../../lib/contract/share.ts";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { checksumsPath } from "../../lib/protocol/checksums.ts";
import type { RenderedReport } from "../../lib/report/render-report.ts";
import { defaultTraffic, type Traffic } from "../../lib/report/traffic.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { printReport } from "./print-report.ts";
import { readPrices } from "./read-prices.ts";
import { storedManifest } from "./stored-manifest.ts";
import { isOfSeveral, openRun, type StoredExperiment } from "./stored-run.ts";
import { type Verification, verifyRun } from "./verify-run.ts";
import { writeOverview } from "./write-overview.ts";
import { renderStored } from "./write-report.ts";

export interface ReportWords {
  readonly prices?: string;
  readonly coldShare?: string;
  readonly invocations?: string;
  readonly json?: true;
}

/**
 * `kelvin report`: renders a run's report again from its samples, once they are known to be those
 * that were measured; returns the exit code. What the run left stays as it is, its manifests included.
 */
export async function report(folder: string, words: ReportWords): Promise<number> {
  const prices = readPrices(words.prices);
  const traffic = trafficOf(words);
  const run = await openRun("folder", folder);
  const verification = await verifyRun(run, folder);
  const rendered: RenderedReport[] = [];
  for (const [index, each] of run.experiments.entries()) {
    const verified = verification.experiments[index] as Verification;
    rendered.push(await renderedAgain(each, verified, prices, traffic));
  }
  const progress = new Progress();
  if (verification.run.kind === "verified") {
    progress.say(`${verification.run.files} files verified against ${checksumsPath}`);
  }
  const pages = rendered.map(({ page }) => ({ experiment: page.experiment, page }));
  const several = isOfSeveral(run);
  const headline = several ? (await writeOverview(run, pages)).headline : rendered[0]?.headline;
  const manifests = rendered.map(({ manifest }) => manifest);
  const told = { headline: headline ?? "", manifests, isOfSeveral: several };
  printReport(told, folder, words.json === true);
  const isComplete = manifests.every(({ status }) => status === "complete");
  return isComplete ? exitCodes.complete : exitCodes.partial;
}

async function renderedAgain(
  experiment: StoredExperiment,
  verification: Verification,
  prices: PriceTable,
  traffic: Traffic,
): Promise<RenderedReport> {
  const { store, plan } = experiment;
  const manifest = await storedManifest(experiment, verification, prices);
  const rendered = await renderStored(store, plan, manifest, prices, traffic);
  for (const [path, text] of Object.entries(rendered.files)) {
    if (path !== "manifest.json") await store.writeText(path, text);
  }
  sayWhatIsNew(experiment, rendered.manifest);
  return rendered;
}

function trafficOf({ coldShare, invocations }: ReportWords): Traffic {
  const share =
    coldShare === undefined ? defaultTraffic.coldShare : shareOf("cold-share", coldShare);
  const perMonth = Number(invocations ?? defaultTraffic.invocationsPerMonth);
  if (/^\d+$/.test(invocations ?? "1") && perMonth >= 1 && Number.isSafeInteger(perMonth)) {
    return { coldShare: share, invocationsPerMonth: perMonth };
  }
  throw new InvalidInput("invocations", invocations, "a whole number a month, 1 and more");
}

/** On stderr: what the run itself did not know of when it ended. */
function sayWhatIsNew({ plan, manifest }: StoredExperiment, { warnings }: Manifest): void {
  const progress = new Progress();
  const known = new Set((manifest ?? plan).warnings);
  for (const warning of warnings) if (!known.has(warning)) progress.say(warning);
}
