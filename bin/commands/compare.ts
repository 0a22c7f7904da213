import { parseRunAddress } from "../../lib/aws/run-address.ts";
import { s3Problem } from "../../lib/aws/s3-problem.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { shareOf } from "../../lib/contract/share.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";
import { runCostTotal } from "../../lib/cost/run-cost.ts";
import { storedSamples } from "../../lib/protocol/result-store.ts";
import { experimentReport } from "../../lib/report/catalogue.ts";
import { collectSamples } from "../../lib/report/collect/collect-samples.ts";
import { madePlan } from "../../lib/report/made-plan.ts";
import { renderTerminal } from "../../lib/report/render/terminal.ts";
import { compareRuns, type OneRun } from "../../lib/report/two-runs/compare-runs.ts";
import { differingConditions } from "../../lib/report/two-runs/differing-conditions.ts";
import { type TwoRuns, twoRunsDocument } from "../../lib/report/two-runs/two-runs-document.ts";
import { Progress } from "../progress.ts";
import { bring } from "./fetch.ts";
import { interruption } from "./interruption.ts";
import { storedManifest } from "./stored-manifest.ts";
import { openRun, type StoredExperiment } from "./stored-run.ts";
import { type Verification, verifyRun } from "./verify-run.ts";

export interface CompareWords {
  readonly margin: string;
  readonly json?: true;
}

/** What the process ends with: a gate in CI asks for nothing else. */
const outcomes = { nothingSlower: 0, somethingSlower: 1, unusable: 2 } as const;

/**
 * `kelvin compare`: every series that two runs share, the later run against the earlier; returns the
 * exit code. Whatever keeps it from an answer is `unusable`: 1 says that something is slower.
 */
export async function compare(before: string, after: string, words: CompareWords): Promise<number> {
  try {
    const compared = await comparedRuns(before, after, shareOf("margin", words.margin));
    print(compared, words.json === true);
    const isSlower = compared.changes.some(({ verdict }) => verdict === "slower");
    return isSlower ? outcomes.somethingSlower : outcomes.nothingSlower;
  } catch (error) {
    process.stderr.write(`kelvin: ${describeError(error).message}\n`);
    return outcomes.unusable;
  }
}

async function comparedRuns(before: string, after: string, margin: number): Promise<TwoRuns> {
  const [earlier, later] = [await runAt("before", before), await runAt("after", after)];
  const ids = [...new Set([...earlier, ...later].map(({ plan }) => plan.experiment))];
  const pairs = ids.flatMap((id) => {
    const [one, other] = [earlier, later].map((runs) =>
      runs.find(({ plan }) => plan.experiment === id),
    );
    return one === undefined || other === undefined ? [] : [{ id, before: one, after: other }];
  });
  for (const pair of pairs) {
    requireSamples("before", before, pair.before);
    requireSamples("after", after, pair.after);
    requireOneTarget(pair.before, pair.after, after);
  }
  const changes = compareRuns(pairs, { margin });
  if (changes.length === 0) {
    const known = earlier.map(({ plan }) => seriesNames(plan)).join(", ");
    throw new InvalidInput("after", after, `a run with a series of ${before} (${known})`);
  }
  const shared = pairs.map(({ id }) => id);
  return {
    before,
    after,
    margin,
    changes,
    differences: pairs.flatMap((pair) => {
      const found = differingConditions(pair.before, pair.after);
      return pairs.length === 1
        ? found
        : found.map((each) => ({ ...each, what: `${pair.id}: ${each.what}` }));
    }),
    unshared: ids.filter((id) => !shared.includes(id)),
    ...(pairs.some(({ before: { plan } }) => plan.target === "imported") && { imported: true }),
  };
}

/** Runs of one experiment share its cells' names; imported ones those that they were given. */
function seriesNames({ experiment, target, cells, coldOperation }: OneRun["plan"]): string {
  if (target !== "imported") return experiment;
  const ids = cells.map(({ id }) => id).join(", ");
  return `${experiment}: ${ids}; operation ${coldOperation}`;
}

function requireSamples(side: string, named: string, { manifest }: OneRun): void {
  if (manifest.imported?.averages === undefined) return;
  throw new InvalidInput(side, named, "a run with samples; this one holds another tool's averages");
}

/** What was measured on one machine is no Lambda's time: the two share no table. */
function requireOneTarget(before: OneRun, after: OneRun, named: string): void {
  const [found, allowed] = [after.plan.target, before.plan.target];
  if (found === allowed) return;
  throw new InvalidInput("after", named, `a run on the target ${allowed}; this one is on ${found}`);
}

async function runAt(side: string, address: string): Promise<readonly OneRun[]> {
  const folder = address.startsWith("s3://") ? await fetched(address) : address;
  const run = await openRun(side, folder);
  const { experiments } = await verifyRun(run, folder);
  return await Promise.all(
    run.experiments.map((each, index) => readRun(each, experiments[index] as Verification)),
  );
}

async function readRun(stored: StoredExperiment, verification: Verification): Promise<OneRun> {
  const { plan, store } = stored;
  const manifest = await storedManifest(stored, verification, publishedPrices);
  const { quantitiesOf } = experimentReport(plan.experiment);
  const runCost = runCostTotal(publishedPrices, manifest.prices.region, plan);
  const samples = await collectSamples(plan, storedSamples(store), runCost, quantitiesOf);
  return { plan: madePlan(plan, manifest, samples), manifest, samples };
}

async function fetched(address: string): Promise<string> {
  const where = parseRunAddress(address);
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was brought");
  try {
    return (await bring(where, undefined, progress, signal)).folder;
  } catch (error) {
    throw s3Problem(error, where.bucket);
  } finally {
    release();
  }
}

function print(compared: TwoRuns, asJson: boolean): void {
  const { document, answer } = twoRunsDocument(compared);
  const text = asJson
    ? `${JSON.stringify(compared)}\n`
    : renderTerminal(document.title, answer, document);
  process.stdout.write(text);
}
