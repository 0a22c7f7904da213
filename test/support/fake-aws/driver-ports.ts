import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SFNClient } from "@aws-sdk/client-sfn";
import type { DriverPorts } from "../../../lambdas/driver/ports.ts";
import { controlLambdaClient, measuringLambdaClient } from "../../../lib/aws/clients.ts";
import { behindIam, type Caller } from "../iam/caller.ts";
import { FakeDynamoDb } from "./fake-dynamodb.ts";
import type { FakeLambda } from "./fake-lambda.ts";
import { FakeS3 } from "./fake-s3.ts";
import { FakeStepFunctions } from "./fake-step-functions.ts";
import { type AnyClient, configFor, sendingTo } from "./http.ts";

/** Waits of negligible length. */
export const shortWait = { minDelay: 0.001, maxDelay: 0.002, maxWaitTime: 60 };
export const shortLogWait = { delaysMs: [1, 1], limitMs: 5000 };

export interface FakeAws extends DriverPorts {
  readonly fakeLambda: FakeLambda;
  readonly fakeS3: FakeS3;
  readonly fakeDynamoDb: FakeDynamoDb;
  readonly fakeStepFunctions: FakeStepFunctions;
  /** Time for the drivers; it advances only when they wait or a test changes it. */
  readonly clock: { ms: number };
  /** Returns the same services with clients that call as this caller: IAM decides on every call. */
  readonly as: (caller: Caller) => FakeAws;
}

/** Returns the driver's ports over in-memory services, as an administrator, with deterministic clock and randomness. */
export function fakePorts(fakeLambda: FakeLambda, region = "us-east-1"): FakeAws {
  const fakeS3 = new FakeS3();
  const fakeDynamoDb = new FakeDynamoDb();
  const fakeStepFunctions = new FakeStepFunctions();
  const services = {
    dynamodb: fakeDynamoDb,
    lambda: fakeLambda,
    logs: fakeLambda.logs,
    s3: fakeS3,
    states: fakeStepFunctions,
  };
  const { clock } = fakeLambda;
  const begunMs = Date.UTC(2026, 0, 1);
  fakeLambda.logs.nowMs = begunMs;
  let minutes = 0;
  let bytes = 0;
  const others = {
    fakeLambda,
    fakeS3,
    fakeDynamoDb,
    fakeStepFunctions,
    clock,
    bucketName: "results",
    region,
    now: () => {
      fakeLambda.logs.nowMs = begunMs + 60_000 * minutes++;
      return new Date(fakeLambda.logs.nowMs);
    },
    clockMs: () => clock.ms,
    sleep: async (ms: number) => {
      clock.ms += ms;
    },
    randomBytes: (count: number) => Buffer.alloc(count, ++bytes % 256),
    updateWait: shortWait,
    logWait: shortLogWait,
  };
  const configOf = (name: keyof typeof services) => configFor(services[name]);
  const measuring = lazily(() => measuringLambdaClient(configOf("lambda")));
  const control = lazily(() => controlLambdaClient(configOf("lambda")));
  const logs = lazily(() => new CloudWatchLogsClient(configOf("logs")));
  const dynamodb = lazily(() => new DynamoDBClient(configOf("dynamodb")));
  const s3 = lazily(() => new S3Client(configOf("s3")));
  const stepFunctions = lazily(() => new SFNClient(configOf("states")));
  const portsOf = (caller?: Caller): FakeAws => {
    const asCaller = <Client extends AnyClient>(client: Client, name: keyof typeof services) =>
      caller === undefined ? client : sendingTo(behindIam(name, services[name], caller), client);
    return {
      ...others,
      get measuring() {
        return asCaller(measuring(), "lambda");
      },
      get control() {
        return asCaller(control(), "lambda");
      },
      get logs() {
        return asCaller(logs(), "logs");
      },
      get dynamodb() {
        return asCaller(dynamodb(), "dynamodb");
      },
      get s3() {
        return asCaller(s3(), "s3");
      },
      get stepFunctions() {
        return asCaller(stepFunctions(), "states");
      },
      as: portsOf,
    };
  };
  return portsOf();
}

/** Most runs use only some of the clients, and creating one takes as long as several calls. */
function lazily<Client>(make: () => Client): () => Client {
  let made: Client | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
