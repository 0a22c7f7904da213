import type { Experiment } from "../../plan/experiment.ts";
import { pythonVariant, rustVariant, tunedBuild } from "../variants.ts";

/**
 * Index of the Fibonacci number. Rust takes about 5 ms of CPU for it and Python 230, which is 3 s at 128 MB. A
 * smaller one would end before Rust's share of a CPU has an effect: 30 takes 2 ms at 128 MB and at 1,769 MB alike.
 */
const n = 32;

/** `compute` measures the lead of Rust over Python without an SDK. */
export const compute: Experiment = {
  id: "compute",
  title: "Compute: Rust vs. Python without an SDK",
  question: "How far does Rust lead when a function only computes, with no SDK at all?",
  variants: [
    rustVariant("rust", "Rust", {
      binaryName: "compute-rust",
      packageName: "compute",
      features: ["lambda-runtime"],
    }),
    rustVariant("rust-floor", "Rust (own runtime loop)", {
      binaryName: "compute-rust-floor",
      packageName: "compute",
      features: ["runtime-api"],
      ...tunedBuild,
      profile: "floor",
    }),
    pythonVariant("python", "Python", "compute.handler.handler"),
  ],
  baselineVariant: "rust",
  replicaVariant: "rust",
  memoryMb: [128, 256, 512, 1024, 1769, 3008],
  quickMemoryMb: [128, 512, 1769],
  // The cold operation does no work, so that the cold start is measured alone.
  coldOperation: "noop",
  warmOperations: ["fibonacci", "vector", "noop"],
  requests: {
    fibonacci: { parameters: { n }, expected: { value: 2_178_309 } },
    // The result is the sum of the first 100,000 odd numbers, which is the square of their number.
    vector: { expected: { value: 100_000 ** 2 } },
  },
  // Measured at 128/1769 of a CPU of an x86_64 machine; Init of Rust as published.
  priors: {
    rust: { memoryMb: 128, initMs: 29, firstMs: 3, secondMs: 2, warmMs: 30 },
    python: { memoryMb: 128, initMs: 120, firstMs: 5, secondMs: 2, warmMs: 1200 },
  },
  timeoutSeconds: 30,
  presets: {
    quick: { environments: 9, warmEnvironments: 9, warmCalls: 18 },
    standard: { environments: 60, warmEnvironments: 60, warmCalls: 240 },
  },
  discardedCalls: 1,
};
