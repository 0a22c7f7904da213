import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { seedBucket, seedTable } from "../../lib/aws/seed-data.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import type { ExperimentBucket } from "../../lib/plan/experiment.ts";
import { seedObjects } from "../../lib/plan/function-data.ts";
import { FakeDynamoDb } from "../support/fake-aws/fake-dynamodb.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { configFor } from "../support/fake-aws/http.ts";

const bucket = experimentById("s3-fanout").bucket as ExperimentBucket;

describe("seeding the bucket", () => {
  it("writes every object once, below the prefix that functions list", async () => {
    const fake = new FakeS3();
    const client = new S3Client(configFor(fake));
    const seeded = await seedBucket({ client, bucketName: "data" }, seedObjects(bucket));
    expect(seeded).toEqual({ written: 100 });
    expect(fake.writes).toHaveLength(100);
    const keys = [...fake.objects.keys()].sort();
    expect(keys[0]).toContain("fanout/object-000");
    expect(keys.at(-1)).toContain("fanout/object-099");
  });

  it("fails where an object is refused: the run would measure too few", async () => {
    const fake = new FakeS3();
    const refusing = {
      respond: () => ({ status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }),
    };
    const client = new S3Client(configFor(refusing as unknown as FakeS3));
    const seeding = seedBucket({ client, bucketName: "data" }, seedObjects(bucket));
    await expect(seeding).rejects.toThrow();
    expect(fake.writes).toEqual([]);
  });
});

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
