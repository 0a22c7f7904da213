import { functionArtefacts } from "../../lib/aws/function-environment.ts";
import { defined } from "../../lib/contract/defined.ts";
import type {
  CellFailure,
  Manifest,
  Plan,
  StoppingLook,
} from "../../lib/contract/types/contract.ts";
import { measuredSubject } from "../../lib/experiments/catalogue.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { notRestoredName, type ReportRequest } from "../../lib/run/messages.ts";
import { runEnding } from "../../lib/run/run-ending.ts";
import { checksumsPath, computeChecksums, formatChecksums } from "../../lib/sampler/checksums.ts";
import { manifestHead, storedFailures, storedSamples } from "../../lib/sampler/result-store.ts";
import packageJson from "../../package.json" with { type: "json" };
import { causeMessage } from "./cause-message.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { pricesOf, storedPlan } from "./stored-plan.ts";

/** An experiment's last state: writes the report of what was measured, even if the experiment failed. */
export const handler = (request: ReportRequest) => report(request, awsPorts());

export async function report(
  request: ReportRequest,
  ports: DriverPorts,
): Promise<{ readonly status: Manifest["status"] }> {
  const store = resultStore(ports, request.folder);
  const plan = await storedPlan(store);
  const cellFailures = await storedFailures(store);
  const { files, manifest } = await renderReport({
    plan,
    manifest: await makeManifest(plan, request, cellFailures, ports),
    subject: measuredSubject(plan),
    samples: storedSamples(store),
    prices: pricesOf(plan),
  });
  for (const [name, text] of Object.entries(files)) await store.writeText(name, text);
  // Written last: an experiment that has it is complete.
  await store.writeText(checksumsPath, formatChecksums(await computeChecksums(store)));
  return { status: manifest.status };
}

async function makeManifest(
  plan: Plan,
  { cells, failure, look, cap, spentUsd }: ReportRequest,
  cellFailures: readonly CellFailure[],
  ports: DriverPorts,
): Promise<Omit<Manifest, "counts">> {
  const functions = new Map(cells.map((cell) => [cell.cellId, cell.functionName]));
  const functionName = ({ id }: { readonly id: string }) => functions.get(id) ?? id;
  const { error, cause } = failure;
  const stopped = error === undefined ? describeCap(plan, cap) : failureOfState(error, cause);
  const endedAt = ports.now().toISOString();
  const ending = runEnding({ endedAt, cellFailures, endedEarly: stopped });
  return {
    ...manifestHead(plan, ending.status),
    endedAt,
    artefacts: [...(await functionArtefacts(ports.control, plan.cells, functionName))],
    versions: { kelvin: packageJson.version, driver: `node ${process.versions.node}` },
    region: ports.region,
    ...(isLook(look) && { stopping: look }),
    prices: { date: pricesOf(plan).date, region: ports.region },
    ...(plan.estimate !== undefined && { costUsd: spentUsd }),
    ...defined({ endedEarly: stopped }),
    warnings: stopped === undefined ? plan.warnings : [...plan.warnings, stopped],
    cellFailures: ending.cellFailures,
  };
}

/** Describes a failed state. After Restore, nothing is left to measure. */
function failureOfState(error: string, cause = ""): string {
  const summary =
    error === notRestoredName
      ? "The measuring came to its end, but not every function was restored"
      : "A state of the run failed";
  return `${summary}: ${error}${cause === "" ? "" : `: ${causeMessage(cause)}`}`;
}

function describeCap(plan: Plan, { maxCostUsd, blocks }: ReportRequest["cap"]): string | undefined {
  if (maxCostUsd === undefined) return undefined;
  const done = `after ${blocks} of ${smallestPlan(plan).blocks.length} blocks`;
  return `The cap of $${maxCostUsd} (maxCostUsd) ended it ${done}: another block could have passed it`;
}

function isLook(look: ReportRequest["look"]): look is StoppingLook {
  return look.blocks !== undefined;
}
