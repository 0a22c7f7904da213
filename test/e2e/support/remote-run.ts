import { S3Client } from "@aws-sdk/client-s3";
import { S3ResultStore } from "../../../lib/aws/s3-result-store.ts";
import type { Manifest, Plan, Sample } from "../../../lib/contract/types/contract.ts";
import { validated } from "../../../lib/contract/validate.ts";
import { storedSamples } from "../../../lib/protocol/result-store.ts";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

/** A run as it lies in the results bucket, each part held to its contract. */
export interface RemoteRun {
  readonly plan: Plan;
  readonly manifest: Manifest;
  readonly samples: readonly Sample[];
  readonly summary: object;
  readonly report: string;
  readonly page: string;
}

export async function readRun(
  account: EmulatedAccount,
  bucket: string,
  runId: string,
): Promise<RemoteRun> {
  const store = new S3ResultStore(new S3Client(account.client), bucket, runId);
  const text = async (name: string) => (await store.readText(name)) ?? `${name} is not there`;
  const samples: Sample[] = [];
  for await (const sample of storedSamples(store)) samples.push(validated("sample", sample));
  return {
    plan: validated("plan", JSON.parse(await text("plan.json"))),
    manifest: validated("manifest", JSON.parse(await text("manifest.json"))),
    samples,
    summary: JSON.parse(await text("summary.json")),
    report: await text("report.md"),
    page: await text("report.html"),
  };
}
