import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { AgentOptions } from "node:https";
import { join, sep } from "node:path";
import { createInterface } from "node:readline";
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { SeedItem, SeedObject } from "../plan/function-data.ts";
import { forEachConcurrently } from "../sampler/result-store.ts";
import type { ServiceName } from "../toolchain/build-local.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";
import { type EnvironmentNetwork, machineNetwork } from "./environment-network.ts";
import { localCredentials } from "./lambda-environment.ts";
import { ServiceAgent } from "./service-agent.ts";

/** An EmulatedService is an AWS service on the environments' loopback, over TLS 1.3 unless plain HTTP is requested. */
export interface EmulatedService {
  readonly network: EnvironmentNetwork;
  readonly endpoint: string;
  /** PEM file of the only root to trust; absent over plain HTTP. */
  readonly rootCertificate?: string;
  readonly transport: string;
  stop(): Promise<void>;
}

interface EmulatedServiceOptions {
  readonly binary: string;
  readonly service: ServiceName;
  /** Folder for the certificate chain. */
  readonly tlsDirectory: string;
  readonly plainHttp: boolean;
  /** @default this machine's network */
  readonly network?: EnvironmentNetwork;
  /** Extra arguments for this service. @default none */
  readonly args?: readonly string[];
  /** Called with each call that the service answered with NotImplemented: `s3.SelectObjectContent`. */
  readonly onNotImplemented?: (call: string) => void;
}

interface Ready {
  readonly endpoint: string;
  readonly rootCertificate?: string;
}

/** Starts the stand-in and waits for its ready line. The stand-in ends with this process, because its stdin closes. */
export async function startEmulatedService(
  options: EmulatedServiceOptions,
): Promise<EmulatedService> {
  const { binary, service, tlsDirectory, plainHttp, args = [] } = options;
  const { network = machineNetwork } = options;
  const transportArgs = plainHttp ? ["--plain-http"] : ["--tls-directory", tlsDirectory];
  const started = network.enter({ command: binary, args: [...transportArgs, ...args] });
  const child = spawn(started.command, started.args, {
    env: commandEnvironment("service"),
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the ${service} stand-in ended with ${code}`)));
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (line) => {
      resolve(JSON.parse(line));
      lines.on("line", (later) => {
        options.onNotImplemented?.(`${service}.${JSON.parse(later).notImplemented}`);
      });
    });
  });
  return {
    ...ready,
    network,
    transport: plainHttp ? "plain HTTP on loopback" : "TLS 1.3 on loopback",
    stop: async () => {
      child.stdin.end();
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Largest batch: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batchItems = 25;

/** Creates the experiment's table and writes its seed items. */
export async function createSeededTable(
  standin: EmulatedService,
  tableName: string,
  items: readonly SeedItem[],
): Promise<void> {
  const client = dynamodbClient(standin);
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
    const unprocessed = answer.UnprocessedItems?.[tableName]?.length ?? 0;
    if (unprocessed > 0)
      throw new Error(`the DynamoDB stand-in left ${unprocessed} seed items unprocessed`);
  }
  client.destroy();
}

/** Creates a user's table, from the input of `aws dynamodb create-table --cli-input-json`. */
export async function createTable(standin: EmulatedService, input: object): Promise<void> {
  const client = dynamodbClient(standin);
  try {
    await client.send(new CreateTableCommand(input as CreateTableCommandInput));
  } finally {
    client.destroy();
  }
}

/** Writes a user's items, from the input of `aws dynamodb batch-write-item`, in requests of up to 25 items. */
export async function writeItems(
  standin: EmulatedService,
  tableName: string,
  requests: readonly object[],
): Promise<void> {
  const client = dynamodbClient(standin);
  try {
    for (let start = 0; start < requests.length; start += batchItems) {
      const batch = requests.slice(start, start + batchItems).map(withBytes) as WriteRequest[];
      const { UnprocessedItems: unprocessed = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName]: batch } }),
      );
      if (Object.keys(unprocessed).length > 0) throw new Error("items were left unprocessed");
    }
  } finally {
    client.destroy();
  }
}

/** Decodes binary values: in JSON they are base64, as in the input of the AWS CLI. */
function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== "object" || value === null) return value;
  const decoded = (text: unknown) =>
    typeof text === "string" ? Buffer.from(text, "base64") : withBytes(text);
  const entries = Object.entries(value).map(([name, inner]) => {
    if (name === "B") return [name, decoded(inner)];
    return [name, name === "BS" && Array.isArray(inner) ? inner.map(decoded) : withBytes(inner)];
  });
  return Object.fromEntries(entries);
}

function dynamodbClient(standin: EmulatedService): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: standin.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    requestHandler: requestHandler(standin, { keepAlive: false }),
  });
}

/** Objects to write concurrently. */
const atOnce = 10;

/** Creates the experiment's bucket and writes its objects. */
export async function createSeededBucket(
  standin: EmulatedService,
  bucketName: string,
  objects: readonly SeedObject[],
): Promise<void> {
  const client = s3Client(standin);
  await client.send(new CreateBucketCommand({ Bucket: bucketName }));
  await forEachConcurrently(objects, atOnce, async ({ key, body }) => {
    await client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body }));
  });
  client.destroy();
}

/** Creates an empty bucket for a user. */
export async function createBucket(standin: EmulatedService, bucketName: string): Promise<void> {
  const client = s3Client(standin);
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucketName }));
  } finally {
    client.destroy();
  }
}

/** Writes the files below a folder as objects, each under its relative path. */
export async function writeObjects(
  standin: EmulatedService,
  bucketName: string,
  folder: string,
): Promise<void> {
  const client = s3Client(standin);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  try {
    await forEachConcurrently(files, atOnce, async (path) => {
      const key = path.split(sep).join("/");
      const body = readFileSync(join(folder, path));
      await client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body }));
    });
  } finally {
    client.destroy();
  }
}

function s3Client(standin: EmulatedService): S3Client {
  return new S3Client({
    endpoint: standin.endpoint,
    forcePathStyle: true,
    region: "us-east-1",
    credentials: localCredentials,
    requestHandler: requestHandler(standin, { keepAlive: true, maxSockets: 10 }),
  });
}

/** Connects to the service in its own network, and trusts only its root. */
function requestHandler({ network, rootCertificate }: EmulatedService, options: AgentOptions) {
  const isPlainHttp = rootCertificate === undefined;
  const trusted = isPlainHttp ? {} : { ca: readFileSync(rootCertificate) };
  const agent = new ServiceAgent({ network, isPlainHttp, ...trusted, ...options });
  return isPlainHttp ? { httpAgent: agent } : { httpsAgent: agent };
}
