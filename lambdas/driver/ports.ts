import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import { SFNClient } from "@aws-sdk/client-sfn";
import {
  type ControlLambdaClient,
  controlLambdaClient,
  measuringLambdaClient,
} from "../../lib/aws/clients.ts";
import type { UpdateWait } from "../../lib/aws/function-environment.ts";
import type { LogWait } from "../../lib/aws/log-telemetry.ts";
import { RunLock } from "../../lib/aws/run-lock.ts";
import { S3ResultStore } from "../../lib/aws/s3-result-store.ts";

/** Clients, clocks and settings that the handlers use; tests pass clients that answer from memory. */
export interface DriverPorts {
  /** Makes one attempt per call. */
  readonly measuring: LambdaClient;
  readonly control: ControlLambdaClient;
  readonly logs: CloudWatchLogsClient;
  readonly dynamodb: DynamoDBClient;
  readonly s3: S3Client;
  readonly stepFunctions: SFNClient;
  readonly bucketName: string;
  readonly region: string;
  readonly now: () => Date;
  /** Monotonic. */
  readonly clockMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly randomBytes: (count: number) => Buffer;
  readonly updateWait?: UpdateWait;
  readonly logWait?: LogWait;
}

let ports: DriverPorts | undefined;

/** Returns the ports of a deployed handler, created once per execution environment. */
export function awsPorts(): DriverPorts {
  ports ??= {
    measuring: measuringLambdaClient(),
    control: controlLambdaClient(),
    // Throttled reads are retried, because the handlers wait for the log anyway.
    logs: new CloudWatchLogsClient({ maxAttempts: 8 }),
    dynamodb: new DynamoDBClient({}),
    s3: new S3Client({}),
    // The quota of DescribeExecution is the account's, and no call begins before the answer.
    stepFunctions: new SFNClient({ maxAttempts: 8 }),
    bucketName: required("BUCKET_NAME"),
    region: required("AWS_REGION"),
    now: () => new Date(),
    clockMs: () => performance.now(),
    sleep: async (ms) => await delay(ms),
    randomBytes,
  };
  return ports;
}

/** @param folder Folder of a run or an experiment, relative to runs/. */
export function resultStore(ports: DriverPorts, folder: string): S3ResultStore {
  return new S3ResultStore(ports.s3, ports.bucketName, folder);
}

export function runLock({ s3, bucketName }: DriverPorts): RunLock {
  return new RunLock(s3, bucketName);
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`environment variable ${name} is missing: the stack should have set it`);
  }
  return value;
}
