import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { seedTable } from "../../lib/aws/seed-data.ts";
import { FakeDynamoDb } from "../support/fake-aws/fake-dynamodb.ts";
import { configFor } from "../support/fake-aws/http.ts";

const items = Array.from({ length: 30 }, (_, index) => ({
  pk: "seed",
  sk: `item-${index}`,
  n: index,
}));

async function seedOn(fake: FakeDynamoDb) {
  const client = new DynamoDBClient(configFor(fake));
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  return { ...(await seedTable({ client, tableName: "table", pause }, items)), pauses };
}

describe("seeding the table", () => {
  it("writes every item with its types, 25 a request", async () => {
    const fake = new FakeDynamoDb();
    expect(await seedOn(fake)).toMatchObject({ written: 30, resent: 0 });
    expect(fake.batchSizes).toEqual([25, 5]);
    expect(fake.items[7]).toEqual({ pk: { S: "seed" }, sk: { S: "item-7" }, n: { N: "7" } });
  });

  it("sends what was left unprocessed again, and counts it", async () => {
    const fake = new FakeDynamoDb(3);
    expect(await seedOn(fake)).toMatchObject({ resent: 3, pauses: [100] });
    expect(fake.items).toHaveLength(30);
  });
});
