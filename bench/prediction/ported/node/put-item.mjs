// runtime-benchmark's function: one item, put by a client that Init makes.
import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";

const client = DynamoDBDocumentClient.from(new DynamoDBClient());

export async function handler(event) {
  const item = { id: randomUUID(), ...JSON.parse(event.body) };
  await client.send(new PutCommand({ TableName: process.env.TABLE_NAME, Item: item }));
  return { statusCode: 201, body: JSON.stringify(item) };
}
