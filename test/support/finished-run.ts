import { type CostBasis, costBasis } from "../../bin/run/cost-basis.ts";
import { writeReport } from "../../bin/run/write-report.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { DiskRecorder, DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { FakeS3 } from "./fake-aws/fake-s3.ts";
import { FakeTarget, type Script } from "./fake-target.ts";

interface FinishedAs {
  /** Fields of the manifest. @default none about a machine or a region */
  readonly manifest?: Partial<Manifest>;
  /** Target kind in the samples; if it differs from the plan's, they count in no figure. @default fake */
  readonly kind?: Plan["target"];
}

/** Puts a finished run into S3 as the state machine of a version leaves it. */
export async function putRun(
  s3: FakeS3,
  directory: string,
  plan: Plan,
  kelvin = packageJson.version,
): Promise<void> {
  const manifest = { versions: { kelvin } };
  const store = await finishedRun(directory, plan, undefined, undefined, { manifest });
  const written = ["plan.json", "manifest.json", "summary.json", "report.json", "report.html"];
  const paths = [...written, "SHA256SUMS", ...(await store.list("samples"))];
  for (const path of paths) {
    s3.objects.set(`runs/${plan.runId}/${path}`, (await store.readText(path)) ?? "");
  }
}

/** Stores a finished run with invented samples of every trial, as its writer leaves it. */
export async function finishedRun(
  directory: string,
  plan: Plan,
  script?: Script,
  costs: CostBasis = costBasis({}),
  { manifest: described = {}, kind = "fake" }: FinishedAs = {},
): Promise<DiskResultStore> {
  const store = new DiskResultStore(directory);
  await store.writeText("plan.json", JSON.stringify(plan));
  await runPlan(plan, new FakeTarget(script, kind), new DiskRecorder(store));
  const manifest: Omit<Manifest, "counts"> = {
    schemaVersion: 1,
    runId: plan.runId,
    experiment: plan.experiment,
    target: plan.target,
    status: "complete",
    startedAt: plan.createdAt,
    endedAt: "2026-01-01T00:10:00.000Z",
    cellFailures: [],
    artefacts: [],
    versions: {},
    prices: { date: costs.prices.date, region: "us-east-1" },
    warnings: [...plan.warnings],
    ...described,
  };
  await writeReport({ store, plan, manifest, costs });
  return store;
}
