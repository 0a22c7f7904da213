import { functionArtefacts } from "../../lib/aws/function-environment.ts";
import type {
  CellFailure,
  Manifest,
  Plan,
  StoppingLook,
} from "../../lib/contract/types/contract.ts";
import { type PriceTable, publishedPrices } from "../../lib/cost/prices.ts";
import { measuredSubject } from "../../lib/experiments/catalogue.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { checksumsPath, computeChecksums, formatChecksums } from "../../lib/sampler/checksums.ts";
import { manifestHead, storedFailures, storedSamples } from "../../lib/sampler/result-store.ts";
import packageJson from "../../package.json" with { type: "json" };
import { causeMessage } from "./cause-message.ts";
import { notRestoredName, type ReportRequest } from "./messages.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { storedPlan } from "./stored-plan.ts";

/** An experiment's last state: the report of what was measured, also when it failed on the way. */
export const handler = (request: ReportRequest) => report(request, awsPorts());

export async function report(
  request: ReportRequest,
  ports: DriverPorts,
): Promise<{ readonly status: Manifest["status"] }> {
  const store = resultStore(ports, request.folder);
  const plan = await storedPlan(store);
  const cellFailures = [...(await storedFailures(store))];
  const { files, manifest } = await renderReport({
    plan,
    manifest: { ...(await makeManifest(plan, request, cellFailures, ports)), cellFailures },
    subject: measuredSubject(plan),
    samples: storedSamples(store),
    prices: pricesOf(plan),
  });
  for (const [name, text] of Object.entries(files)) await store.writeText(name, text);
  // Last: what has it was left whole.
  await store.writeText(checksumsPath, formatChecksums(await computeChecksums(store)));
  return { status: manifest.status };
}

async function makeManifest(
  plan: Plan,
  { cells, failure, look }: ReportRequest,
  cellFailures: readonly CellFailure[],
  ports: DriverPorts,
): Promise<Omit<Manifest, "counts" | "cellFailures">> {
  const functions = new Map(cells.map((cell) => [cell.cellId, cell.functionName]));
  const functionName = ({ id }: { readonly id: string }) => functions.get(id) ?? id;
  const stopped = failure.error === undefined ? [] : [failureOfState(failure.error, failure.cause)];
  const isComplete = stopped.length === 0 && cellFailures.length === 0;
  return {
    ...manifestHead(plan, isComplete ? "complete" : "partial"),
    endedAt: ports.now().toISOString(),
    artefacts: [...(await functionArtefacts(ports.control, plan.cells, functionName))],
    versions: { kelvin: packageJson.version, driver: `node ${process.versions.node}` },
    region: ports.region,
    ...(isLook(look) && { stopping: look }),
    prices: { date: pricesOf(plan).date, region: ports.region },
    ...(stopped[0] !== undefined && { endedEarly: stopped[0] }),
    warnings: [...plan.warnings, ...stopped],
  };
}

function pricesOf({ prices = publishedPrices }: Plan): PriceTable {
  return prices;
}

/** A state's error as Step Functions keeps it; of all states only Restore has nothing left to measure. */
function failureOfState(error: string, cause = ""): string {
  const what =
    error === notRestoredName
      ? "The measuring came to its end, but not every function was restored"
      : "A state of the run failed";
  return `${what}: ${error}${cause === "" ? "" : `: ${causeMessage(cause)}`}`;
}

function isLook(look: ReportRequest["look"]): look is StoppingLook {
  return look.blocks !== undefined;
}
