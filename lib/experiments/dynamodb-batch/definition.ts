import type { Experiment } from "../../plan/experiment.ts";
import { dynamodbNetwork } from "../local-network.ts";
import { pythonVariant, rustVariant } from "../variants.ts";

const operation = "batch_write_get";

/** `dynamodbBatch` measures Rust's lead if a call makes two requests with a few small items. */
export const dynamodbBatch: Experiment = {
  id: "dynamodb-batch",
  title: "DynamoDB in batches: five small items written and read",
  question: "How far does Rust lead when a call writes five small items and reads them again?",
  variants: [
    rustVariant("rust", "Rust (default build)", {
      binaryName: "dynamodb-batch-rust",
      packageName: "dynamodb-batch",
      features: ["sdk-defaults"],
    }),
    pythonVariant("python", "Python (boto3)", "dynamodb_batch.handler.handler"),
  ],
  baselineVariant: "rust",
  replicaVariant: "rust",
  memoryMb: [128, 256, 512, 1024, 1769, 2048],
  quickMemoryMb: [128, 512, 1769],
  coldOperation: operation,
  warmOperations: [operation],
  // The expected value is the sum of price times quantity over the items read.
  requests: { [operation]: { expected: { itemsCount: 5, value: 15_040 } } },
  // The means that cebert/aws-lambda-performance-benchmarks published for arm64. The second call is taken to last as
  // long as a warm one.
  priors: {
    rust: { memoryMb: 128, initMs: 66, firstMs: 826, secondMs: 15, warmMs: 15 },
    python: { memoryMb: 128, initMs: 430, firstMs: 354, secondMs: 75, warmMs: 75 },
  },
  timeoutSeconds: 30,
  presets: {
    quick: { environments: 9, warmEnvironments: 9, warmCalls: 90 },
    standard: { environments: 60, warmEnvironments: 60, warmCalls: 480 },
  },
  discardedCalls: 3,
  table: {
    calls: ["dynamodb:BatchGetItem"],
    writes: { calls: ["dynamodb:BatchWriteItem"], keyPrefixes: ["batch-"] },
    // Every function reads only what it wrote, so nothing is seeded.
    seed: { pk: "seed", itemCount: 0, dataLength: 0 },
  },
  localNetwork: dynamodbNetwork,
};
