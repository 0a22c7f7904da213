import { seedTable } from "../../lib/aws/seed-table.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { seedItems } from "../../lib/experiment/seed-items.ts";
import type { SeedRequest } from "./messages.ts";
import { awsPorts, type DriverPorts } from "./ports.ts";

/** Writes what the experiment's table holds before a run; an experiment without a table needs nothing. */
export const handler = (request: SeedRequest) => seed(request, awsPorts());

export async function seed(
  { experiment, tableName }: SeedRequest,
  ports: DriverPorts,
): Promise<{ readonly written: number }> {
  const { table } = experimentById(experiment);
  if (table === undefined || tableName === undefined) return { written: 0 };
  const items = seedItems(table.seed).map((item) => ({ ...item }));
  return await seedTable({ client: ports.dynamodb, tableName }, items);
}
