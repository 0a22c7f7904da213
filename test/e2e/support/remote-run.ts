import { S3Client } from "@aws-sdk/client-s3";
import { remoteFiles } from "../../../lib/aws/fetch-run.ts";
import { S3ResultStore } from "../../../lib/aws/s3-result-store.ts";
import type { Manifest, Plan, Sample } from "../../../lib/contract/types/contract.ts";
import { validated } from "../../../lib/contract/validate.ts";
import { experiments as known } from "../../../lib/experiments/catalogue.ts";
import { storedSamples } from "../../../lib/sampler/result-store.ts";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

/** A run as it lies in the results bucket. */
export interface RemoteRun {
  readonly runId: string;
  /** In the order of the catalogue. */
  readonly experiments: readonly RemoteExperiment[];
  readonly report: string;
  readonly checksums: string;
}

/** Everything of an experiment, each part held to its contract. */
export interface RemoteExperiment {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly samples: readonly Sample[];
  readonly report: string;
  readonly page: string;
}

export async function readRun(
  account: EmulatedAccount,
  bucket: string,
  runId: string,
): Promise<RemoteRun> {
  const client = new S3Client(account.client);
  const paths = (await remoteFiles(client, bucket, runId)).map(({ path }) => path);
  const folders = known.map(({ id }) => id).filter((id) => paths.includes(`${id}/plan.json`));
  const store = new S3ResultStore(client, bucket, runId);
  const experiments: RemoteExperiment[] = [];
  for (const folder of folders.length === 0 ? [runId] : folders.map((id) => `${runId}/${id}`)) {
    experiments.push(await readExperiment(new S3ResultStore(client, bucket, folder)));
  }
  const [report, checksums] = [textIn(store, "report-full.md"), textIn(store, "SHA256SUMS")];
  return { runId, experiments, report: await report, checksums: await checksums };
}

async function readExperiment(store: S3ResultStore): Promise<RemoteExperiment> {
  const samples: Sample[] = [];
  for await (const sample of storedSamples(store)) samples.push(validated("sample", sample));
  return {
    plan: validated("plan", JSON.parse(await textIn(store, "plan.json"))),
    manifest: validated("manifest", JSON.parse(await textIn(store, "manifest.json"))),
    samples,
    report: await textIn(store, "report-full.md"),
    page: await textIn(store, "report.html"),
  };
}

async function textIn(store: S3ResultStore, path: string): Promise<string> {
  return (await store.readText(path)) ?? `${path} is not there`;
}
