import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import type { SeedItem } from "../experiment/seed-items.ts";

/** DynamoDB on this machine's loopback: dynoxide, behind TLS 1.3 unless plain HTTP was asked for. */
export interface DynamodbStandin {
  readonly endpoint: string;
  /** PEM file of the only root to trust; absent under plain HTTP. */
  readonly rootCertificate?: string;
  readonly transport: string;
  stop(): Promise<void>;
}

export interface StandinOptions {
  readonly binary: string;
  /** Where the certificate chain is made and kept. */
  readonly tlsDirectory: string;
  readonly plainHttp: boolean;
}

interface Ready {
  readonly endpoint: string;
  readonly rootCertificate?: string;
}

/** Starts the stand-in and waits for its ready line. It ends with this process: its stdin closes. */
export async function startDynamodb(options: StandinOptions): Promise<DynamodbStandin> {
  const transportArgs = options.plainHttp
    ? ["--plain-http"]
    : ["--tls-directory", options.tlsDirectory];
  const child = spawn(options.binary, ["dynamodb", ...transportArgs], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the DynamoDB stand-in ended with ${code}`)));
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  });
  return {
    ...ready,
    transport: options.plainHttp ? "plain HTTP on loopback" : "TLS 1.3 on loopback",
    stop: async () => {
      child.stdin.end();
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Largest batch: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batchItems = 25;

/** Creates the experiment's table and writes its seed. */
export async function createSeededTable(
  standin: DynamodbStandin,
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

function clientOf(standin: DynamodbStandin): DynamoDBClient {
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
