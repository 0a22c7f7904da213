import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { Agent, type AgentOptions, type RequestOptions } from "node:https";
import { join, sep } from "node:path";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as secure } from "node:tls";
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

/** The experiments' table, but for its name. */
const seededTable: Omit<CreateTableCommandInput, "TableName"> = {
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
};

/** Creates the experiment's table and writes its seed items. */
export async function createSeededTable(
  standin: EmulatedService,
  tableName: string,
  items: readonly SeedItem[],
): Promise<void> {
  await createTable(standin, { TableName: tableName, ...seededTable });
  const requests = items.map(({ pk, sk, data, timestamp }) => ({
    PutRequest: {
      Item: { pk: { S: pk }, sk: { S: sk }, data: { S: data }, timestamp: { N: `${timestamp}` } },
    },
  }));
  await writeItems(standin, tableName, requests);
}

/** Creates a table, from the input of `aws dynamodb create-table --cli-input-json`. */
export async function createTable(standin: EmulatedService, input: object): Promise<void> {
  await withClient(dynamodbClient(standin), (client) =>
    client.send(new CreateTableCommand(input as CreateTableCommandInput)),
  );
}

/** Writes items, from the input of `aws dynamodb batch-write-item`, in requests of up to 25 items. */
export async function writeItems(
  standin: EmulatedService,
  tableName: string,
  requests: readonly object[],
): Promise<void> {
  await withClient(dynamodbClient(standin), async (client) => {
    for (let start = 0; start < requests.length; start += batchItems) {
      const batch = requests.slice(start, start + batchItems).map(withBytes) as WriteRequest[];
      const { UnprocessedItems: unprocessed = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName]: batch } }),
      );
      if (Object.keys(unprocessed).length > 0) throw new Error("items were left unprocessed");
    }
  });
}

async function withClient<Client extends { destroy(): void }>(
  client: Client,
  use: (client: Client) => Promise<unknown>,
): Promise<void> {
  try {
    await use(client);
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
  await createBucket(standin, bucketName);
  await putObjects(standin, bucketName, objects, ({ key, body }) => ({ Key: key, Body: body }));
}

export async function createBucket(standin: EmulatedService, bucketName: string): Promise<void> {
  await withClient(s3Client(standin), (client) =>
    client.send(new CreateBucketCommand({ Bucket: bucketName })),
  );
}

/** Writes the files below a folder as objects, each under its relative path. */
export async function writeObjects(
  standin: EmulatedService,
  bucketName: string,
  folder: string,
): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  await putObjects(standin, bucketName, files, (path) => ({
    Key: path.split(sep).join("/"),
    Body: readFileSync(join(folder, path)),
  }));
}

/** Writes an object for each source, which is read only when its turn comes. */
async function putObjects<Source>(
  standin: EmulatedService,
  bucketName: string,
  sources: readonly Source[],
  read: (source: Source) => { readonly Key: string; readonly Body: string | Buffer },
): Promise<void> {
  await withClient(s3Client(standin), (client) =>
    forEachConcurrently(sources, atOnce, async (source) => {
      await client.send(new PutObjectCommand({ Bucket: bucketName, ...read(source) }));
    }),
  );
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

interface ServiceAgentOptions extends AgentOptions {
  readonly network: Pick<EnvironmentNetwork, "connect">;
  readonly isPlainHttp: boolean;
}

/** A ServiceAgent connects in the environments' network, for Kelvin's own HTTP calls to a service there. */
class ServiceAgent extends Agent {
  readonly #network: Pick<EnvironmentNetwork, "connect">;
  readonly #isPlainHttp: boolean;

  constructor({ network, isPlainHttp, ...options }: ServiceAgentOptions) {
    super(options);
    this.#network = network;
    this.#isPlainHttp = isPlainHttp;
    // Node rejects a request whose protocol differs from its agent's.
    if (isPlainHttp) Object.assign(this, { protocol: "http:" });
  }

  override createConnection(
    options: RequestOptions,
    callback: (error: Error | null, stream: Duplex) => void = () => undefined,
  ): undefined {
    const secured = options as ConnectionOptions;
    this.#network.connect(Number(options.port)).then(
      (socket) => callback(null, this.#isPlainHttp ? socket : secure({ ...secured, socket })),
      (error: Error) => (callback as (error: Error) => void)(error),
    );
  }
}
