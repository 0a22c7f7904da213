import { type MissingResource, withDeletedByHand } from "../../lib/aws/deleted-by-hand.ts";
import { seedBucket, seedTable } from "../../lib/aws/seed-data.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { seedItems, seedObjects } from "../../lib/plan/function-data.ts";
import type { SeedRequest } from "../../lib/run/messages.ts";
import { awsPorts, type DriverPorts } from "./ports.ts";

/** Writes the initial content of the experiment's table or bucket, if it has one. */
export const handler = (request: SeedRequest) => seed(request, awsPorts());

export async function seed(
  { experiment, tableName, bucketName }: SeedRequest,
  ports: DriverPorts,
): Promise<{ readonly written: number }> {
  // A user's functions have neither, and are not in the catalogue.
  if (bucketName === undefined && tableName === undefined) return { written: 0 };
  const { table, bucket } = experimentById(experiment);
  if (bucket !== undefined && bucketName !== undefined) {
    return await orDeleted(seedBucket({ client: ports.s3, bucketName }, seedObjects(bucket)), {
      kind: "bucket",
      name: bucketName,
    });
  }
  if (table === undefined || tableName === undefined) return { written: 0 };
  const items = seedItems(table.seed).map((item) => ({ ...item }));
  return await orDeleted(seedTable({ client: ports.dynamodb, tableName }, items), {
    kind: "table",
    name: tableName,
  });
}

/** Adds the name of the missing resource and the remedy, which the services' errors lack. */
async function orDeleted<Result>(
  writing: Promise<Result>,
  resource: MissingResource,
): Promise<Result> {
  return await writing.catch((error: unknown) => {
    throw withDeletedByHand(error, resource);
  });
}
