import type { Experiment } from "../../plan/experiment.ts";
import { pythonVariant, rustVariant } from "../variants.ts";

const operation = "sha256_chain";

/** `sha256` measures Rust's lead if Python also runs the work in compiled code, in small steps. */
export const sha256: Experiment = {
  id: "sha256",
  title: "SHA-256: Rust vs. Python's hashlib",
  question: "How far does Rust lead when Python calls C for every step of the work?",
  variants: [
    rustVariant("rust", "Rust", { binaryName: "sha256-rust", packageName: "sha256" }),
    pythonVariant("python", "Python", "sha256.handler.handler"),
  ],
  baselineVariant: "rust",
  replicaVariant: "rust",
  memoryMb: [128, 256, 512, 1024, 1769, 2048],
  // A call in Python takes six seconds at 128 MB, so only the standard preset has that size.
  quickMemoryMb: [512, 1769],
  coldOperation: operation,
  warmOperations: [operation],
  requests: {
    [operation]: { parameters: { rounds: 1_000_000 }, expected: { value: 46_585_556_207_951 } },
  },
  // The means that cebert/aws-lambda-performance-benchmarks published for arm64.
  priors: {
    rust: { memoryMb: 128, initMs: 16, firstMs: 501, secondMs: 501, warmMs: 501 },
    python: { memoryMb: 128, initMs: 102, firstMs: 4247, secondMs: 4247, warmMs: 4334 },
  },
  timeoutSeconds: 30,
  presets: {
    quick: { environments: 9, warmEnvironments: 9, warmCalls: 9 },
    standard: { environments: 60, warmEnvironments: 60, warmCalls: 120 },
  },
  discardedCalls: 0,
};
