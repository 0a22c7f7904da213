import { type MissingResource, withDeletedByHand } from "../../lib/aws/deleted-by-hand.ts";
import { seedBucket, seedTable } from "../../lib/aws/seed-data.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { seedItems, seedObjects } from "../../lib/plan/function-data.ts";
import type { SeedRequest } from "../../lib/run/messages.ts";
import { awsPorts, type DriverPorts } from "./ports.ts";

/** Writes the initial content of the experiment's table or bucket; without either, there is nothing to do. */
export const handler = (request: SeedRequest) => seed(request, awsPorts());

export async function seed(
  { experiment, tableName, bucketName }: SeedRequest,
  ports: DriverPorts,
): Promise<{ readonly written: number }> {
  // A user's functions have neither, and nothing is known of them here.
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
    ...{ kind: "table", name: tableName },
  });
}

/** Neither service names what it does not have: the error does, with the remedy. */
async function orDeleted<Result>(
  writing: Promise<Result>,
  resource: MissingResource,
): Promise<Result> {
  return await writing.catch((error: unknown) => {
    throw withDeletedByHand(error, resource);
  });
}
