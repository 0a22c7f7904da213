import type { Cell } from "../contract/types/contract.ts";
import { type ExperimentBucket, seededSortKey, type TableSeed } from "./experiment.ts";

/** Returns the environment variables with the location of a function's objects. */
export function bucketVariables(
  { prefix }: ExperimentBucket,
  bucketName: string,
): Readonly<Record<string, string>> {
  return { BUCKET_NAME: bucketName, OBJECT_PREFIX: prefix };
}

/** Returns the environment variable with the size of a function's pool; none if it has no pool. */
export function workerVariables({ workers }: Cell): Readonly<Record<string, string>> {
  return workers === undefined ? {} : { WORKER_COUNT: String(workers) };
}

/** An item of the seeded partition. */
export interface SeedItem {
  readonly pk: string;
  readonly sk: string;
  readonly data: string;
  readonly timestamp: number;
}

/** Returns the items in an experiment's table before a run. */
export function seedItems(seed: TableSeed): readonly SeedItem[] {
  return Array.from({ length: seed.itemCount }, (_, index) => ({
    pk: seed.pk,
    sk: seededSortKey(index),
    data: "x".repeat(seed.dataLength),
    timestamp: index,
  }));
}

export interface SeedObject {
  readonly key: string;
  readonly body: string;
}

/** Returns the objects in an experiment's bucket before a run. */
export function seedObjects({ prefix, seed }: ExperimentBucket): readonly SeedObject[] {
  return Array.from({ length: seed.objectCount }, (_, index) => ({
    key: `${prefix}object-${String(index).padStart(3, "0")}`,
    body: "x".repeat(seed.objectBytes),
  }));
}
