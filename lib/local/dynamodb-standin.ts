import { readFileSync } from "node:fs";
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import type { SeedItem } from "../experiment/seed-items.ts";
import type { Standin } from "./standin.ts";

/** Largest batch: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batchItems = 25;

/** Creates the experiment's table and writes its seed. */
export async function createSeededTable(
  standin: Standin,
  tableName: string,
  items: readonly SeedItem[],
): Promise<void> {
  const client = clientOf(standin);
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
  for (let start = 0; start < items.length; start += batchItems) {
    const requests = items.slice(start, start + batchItems).map((item) => ({
      PutRequest: {
        Item: {
          pk: { S: item.pk },
          sk: { S: item.sk },
          data: { S: item.data },
          timestamp: { N: String(item.timestamp) },
        },
      },
    }));
    const answer = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }),
    );
    const left = answer.UnprocessedItems?.[tableName]?.length ?? 0;
    if (left > 0) throw new Error(`the DynamoDB stand-in left ${left} seed items unprocessed`);
  }
  client.destroy();
}

function clientOf(standin: Standin): DynamoDBClient {
  const { endpoint, rootCertificate } = standin;
  return new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    ...(rootCertificate !== undefined && {
      requestHandler: { httpsAgent: { ca: readFileSync(rootCertificate), keepAlive: false } },
    }),
  });
}
