import { seedBucket, seedTable } from "../../lib/aws/seed-data.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { seedItems, seedObjects } from "../../lib/plan/function-data.ts";
import type { SeedRequest } from "./messages.ts";
import { awsPorts, type DriverPorts } from "./ports.ts";

/** Writes the initial content of the experiment's table or bucket; without either, there is nothing to do. */
export const handler = (request: SeedRequest) => seed(request, awsPorts());

export async function seed(
  { experiment, tableName, bucketName }: SeedRequest,
  ports: DriverPorts,
): Promise<{ readonly written: number }> {
  // Of a user's functions nothing is known here, and they have neither.
  if (bucketName === undefined && tableName === undefined) return { written: 0 };
  const { table, bucket } = experimentById(experiment);
  if (bucket !== undefined && bucketName !== undefined) {
    return await seedBucket({ client: ports.s3, bucketName }, seedObjects(bucket));
  }
  if (table === undefined || tableName === undefined) return { written: 0 };
  const items = seedItems(table.seed).map((item) => ({ ...item }));
  return await seedTable({ client: ports.dynamodb, tableName }, items);
}
