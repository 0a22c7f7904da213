import type { Experiment, Variant } from "../../plan/experiment.ts";
import { s3Network } from "../local-network.ts";
import { pythonVariant, rustVariant } from "../variants.ts";

const concurrent = ["python-executor", "python-aioboto3", "rust-concurrent"];

/** `s3Fanout` measures how much parallel I/O helps a function that waits for a hundred small answers. */
export const s3Fanout: Experiment = {
  id: "s3-fanout",
  title: "S3 fan-out: one call after another vs. many at a time",
  question: "What does parallel I/O buy, by memory?",
  variants: [
    pythonVariant("python-serial", "Python (boto3, serial)", "s3_fanout.serial.handler.handler"),
    pythonVariant(
      "python-executor",
      "Python (boto3, executor)",
      "s3_fanout.executor.handler.handler",
    ),
    pythonVariant("python-aioboto3", "Python (aioboto3)", "s3_fanout.aio.handler.handler", {
      requirements: "s3_fanout/aio/requirements.txt",
    }),
    rust("rust-serial", "Rust (serial)"),
    rust("rust-concurrent", "Rust (concurrent)"),
  ],
  baselineVariant: "python-serial",
  replicaVariant: "rust-concurrent",
  memoryMb: [128, 512, 1024, 1536, 2048, 3008],
  quickMemoryMb: [512, 1536],
  // A tenth of the work, which opens the connections that warm calls use.
  coldOperation: "fanout-of-10",
  warmOperations: ["fanout", "fanout-50", "fanout-50-pool-10"],
  requests: {
    "fanout-of-10": {
      operation: "fanout",
      parameters: { count: 10 },
      expected: { itemsCount: 10 },
    },
    // The libraries' defaults, as in the published study.
    fanout: { expected: { itemsCount: 100 } },
    "fanout-50": {
      operation: "fanout",
      variants: concurrent,
      // The first call creates a client, or opens more connections, and is discarded.
      discardedCalls: 1,
      parameters: { concurrency: 50, poolSize: 50 },
      expected: { itemsCount: 100, concurrency: 50 },
    },
    // More threads than boto3's default ten connections.
    "fanout-50-pool-10": {
      operation: "fanout",
      variants: ["python-executor"],
      parameters: { concurrency: 50, poolSize: 10 },
      expected: { itemsCount: 100, concurrency: 50, poolSize: 10 },
    },
  },
  // Published for Python at 128 MB; half of that is assumed for Rust.
  priors: {
    python: { memoryMb: 128, initMs: 600, firstMs: 2000, secondMs: 800, warmMs: 5200 },
    rust: { memoryMb: 128, initMs: 100, firstMs: 1200, secondMs: 300, warmMs: 1800 },
  },
  timeoutSeconds: 60,
  presets: {
    quick: { environments: 9, warmEnvironments: 9, warmCalls: 9 },
    standard: { environments: 60, warmEnvironments: 60, warmCalls: 120 },
  },
  // The cold and the second invocation have opened the default client's connections.
  discardedCalls: 0,
  bucket: {
    prefix: "fanout/",
    objectCalls: ["s3:GetObjectAcl"],
    seed: { objectCount: 100, objectBytes: 16 },
  },
  localNetwork: s3Network,
};

function rust(id: string, label: string): Variant {
  const crate = { binaryName: `s3-fanout-${id}`, packageName: "s3-fanout", features: ["sdk"] };
  return rustVariant(id, label, crate);
}
