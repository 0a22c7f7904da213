import type { Experiment } from "../../plan/experiment.ts";
import { dynamodbNetwork } from "../local-network.ts";
import { tunedBuild } from "../tuned-build.ts";

/** `dynamodb` measures how much of Rust's lead is left once the SDK and the network are in the path. */
export const dynamodb: Experiment = {
  id: "dynamodb",
  title: "DynamoDB: Rust vs. Python",
  question: "How much of Rust's lead is left once the SDK and the network are in the path?",
  variants: [
    {
      id: "rust",
      label: "Rust (default build)",
      language: "rust",
      runtime: "provided.al2023",
      source: {
        kind: "cargo",
        binaryName: "dynamodb-rust",
        packageName: "dynamodb",
        features: ["sdk-defaults"],
        profile: "release",
      },
    },
    {
      id: "rust-tuned",
      label: "Rust (tuned build)",
      language: "rust",
      runtime: "provided.al2023",
      source: {
        kind: "cargo",
        binaryName: "dynamodb-rust-tuned",
        packageName: "dynamodb",
        features: ["fast"],
        ...tunedBuild,
      },
      trustStore: "bundled",
    },
    {
      id: "python",
      label: "Python (boto3)",
      language: "python",
      runtime: "python3.13",
      source: { kind: "python", handler: "dynamodb.handler.handler" },
    },
  ],
  baselineVariant: "rust",
  replicaVariant: "rust",
  memoryMb: [128, 256, 512, 1024, 1769, 3008],
  quickMemoryMb: [128, 512, 1769],
  coldOperation: "get",
  warmOperations: ["get", "put", "query", "batch_write"],
  timeoutSeconds: 30,
  presets: {
    quick: { environments: 9, warmEnvironments: 9, warmCalls: 90 },
    standard: { environments: 60, warmEnvironments: 60, warmCalls: 480 },
  },
  discardedCalls: 3,
  table: {
    calls: ["dynamodb:GetItem", "dynamodb:Query"],
    writes: {
      calls: ["dynamodb:PutItem", "dynamodb:BatchWriteItem"],
      keyPrefixes: ["put-", "batch-"],
    },
    seed: { pk: "seed", itemCount: 25, dataLength: 1000 },
  },
  localNetwork: dynamodbNetwork,
};
