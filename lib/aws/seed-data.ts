import { setTimeout as delay } from "node:timers/promises";
import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { forEachConcurrently } from "../sampler/result-store.ts";

interface PlainObject {
  readonly key: string;
  readonly body: string;
}

interface BucketSeedOptions {
  readonly client: S3Client;
  readonly bucketName: string;
}

/** Concurrent writes. */
const atOnce = 10;

/** Writes the objects. Throws if a write still fails after the client's own retries. */
export async function seedBucket(
  { client, bucketName }: BucketSeedOptions,
  objects: readonly PlainObject[],
): Promise<{ readonly written: number }> {
  await forEachConcurrently(objects, atOnce, async ({ key, body }) => {
    await client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body }));
  });
  return { written: objects.length };
}

/** An item of text and numbers. */
type PlainItem = Readonly<Record<string, string | number>>;

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batchSize = 25;
const attempts = 8;

interface SeedOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  /** Waits before unprocessed items are sent again. Tests replace it. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Writes the items. Unprocessed items are sent again with exponential backoff. */
export async function seedTable(
  options: SeedOptions,
  items: readonly PlainItem[],
): Promise<{ readonly written: number; readonly resent: number }> {
  let resent = 0;
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize).map(putRequest);
    resent += await writeBatch(options, batch);
  }
  return { written: items.length, resent };
}

async function writeBatch(options: SeedOptions, batch: readonly WriteRequest[]): Promise<number> {
  const { client, tableName, pause = delay } = options;
  let remaining = [...batch];
  let resent = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: remaining } }),
    );
    remaining = UnprocessedItems?.[tableName] ?? [];
    if (remaining.length === 0) return resent;
    resent += remaining.length;
    await pause(50 * 2 ** attempt);
  }
  throw new Error(
    `${tableName}: ${remaining.length} items were still unprocessed after ${attempts} attempts`,
  );
}

function putRequest(item: PlainItem): WriteRequest {
  const Item: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(item)) {
    Item[name] = typeof value === "number" ? { N: String(value) } : { S: value };
  }
  return { PutRequest: { Item } };
}
