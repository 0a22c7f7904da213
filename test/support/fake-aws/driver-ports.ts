import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SFNClient } from "@aws-sdk/client-sfn";
import type { DriverPorts } from "../../../lambdas/driver/ports.ts";
import { controlLambdaClient, measuringLambdaClient } from "../../../lib/aws/clients.ts";
import { behindIam } from "../iam/caller.ts";
import { FakeDynamoDb } from "./fake-dynamodb.ts";
import type { FakeLambda } from "./fake-lambda.ts";
import { FakeS3 } from "./fake-s3.ts";
import { FakeStepFunctions } from "./fake-step-functions.ts";
import { configFor } from "./http.ts";

/** Waits that take no time to speak of. */
export const shortWait = { minDelay: 0.001, maxDelay: 0.002, maxWaitTime: 60 };
export const shortLogWait = { delaysMs: [1, 1], limitMs: 5000 };

export interface FakeAws extends DriverPorts {
  readonly fakeLambda: FakeLambda;
  readonly fakeS3: FakeS3;
  readonly fakeDynamoDb: FakeDynamoDb;
  readonly fakeStepFunctions: FakeStepFunctions;
  /** What the drivers take for the time; it stands still unless they wait or a test moves it. */
  readonly clock: { ms: number };
}

/** The driver's ports over services in memory, each behind IAM, with a clock and randomness that repeat. */
export function fakePorts(fakeLambda: FakeLambda, region = "us-east-1"): FakeAws {
  const fakeS3 = new FakeS3();
  const fakeDynamoDb = new FakeDynamoDb();
  const fakeStepFunctions = new FakeStepFunctions();
  const lambda = behindIam("lambda", fakeLambda);
  const { clock } = fakeLambda;
  const begunMs = Date.UTC(2026, 0, 1);
  fakeLambda.logs.nowMs = begunMs;
  let minutes = 0;
  let bytes = 0;
  return {
    fakeLambda,
    fakeS3,
    fakeDynamoDb,
    fakeStepFunctions,
    clock,
    measuring: measuringLambdaClient(configFor(lambda)),
    control: controlLambdaClient(configFor(lambda)),
    logs: new CloudWatchLogsClient(configFor(behindIam("logs", fakeLambda.logs))),
    dynamodb: new DynamoDBClient(configFor(behindIam("dynamodb", fakeDynamoDb))),
    s3: new S3Client(configFor(behindIam("s3", fakeS3))),
    stepFunctions: new SFNClient(configFor(behindIam("states", fakeStepFunctions))),
    bucketName: "results",
    region,
    now: () => {
      fakeLambda.logs.nowMs = begunMs + 60_000 * minutes++;
      return new Date(fakeLambda.logs.nowMs);
    },
    clockMs: () => clock.ms,
    sleep: async (ms) => {
      clock.ms += ms;
    },
    randomBytes: (count) => Buffer.alloc(count, ++bytes % 256),
    updateWait: shortWait,
    logWait: shortLogWait,
  };
}
