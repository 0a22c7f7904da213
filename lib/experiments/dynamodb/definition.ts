import type { Experiment } from "../../plan/experiment.ts";
import { dynamodbNetwork } from "../local-network.ts";
import { pythonVariant, rustVariant, tunedBuild } from "../variants.ts";

/** `dynamodb` measures how much of Rust's lead is left once the SDK and the network are in the path. */
export const dynamodb: Experiment = {
  id: "dynamodb",
  title: "DynamoDB: Rust vs. Python",
  question: "How much of Rust's lead is left once the SDK and the network are in the path?",
  variants: [
    rustVariant("rust", "Rust (default build)", {
      binaryName: "dynamodb-rust",
      packageName: "dynamodb",
      features: ["sdk-defaults"],
    }),
    {
      ...rustVariant("rust-tuned", "Rust (tuned build)", {
        binaryName: "dynamodb-rust-tuned",
        packageName: "dynamodb",
        features: ["fast"],
        ...tunedBuild,
      }),
      trustStore: "bundled",
    },
    pythonVariant("python", "Python (boto3)", "dynamodb.handler.handler"),
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
