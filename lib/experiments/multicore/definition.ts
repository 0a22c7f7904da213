import type { Experiment } from "../../plan/experiment.ts";
import { rustVariant } from "../variants.ts";

/** Number of worker threads by memory size, as in the published study. */
const workersByMemoryMb = { 1536: 1, 2048: 2, 4096: 3, 6144: 4, 8192: 5, 10240: 6 } as const;

/** `multicore` measures whether memory beyond one vCPU pays for work that can use it. */
export const multicore: Experiment = {
  id: "multicore",
  title: "Multicore: Rust threads and memory beyond one vCPU",
  question: "Does memory bought beyond one vCPU pay?",
  variants: [
    rustVariant("rust", "Rust (rayon, bcrypt crate)", {
      binaryName: "multicore-rust",
      packageName: "multicore",
    }),
    rustVariant("rust-interleaved", "Rust, interleaved hashes (a study, no library)", {
      binaryName: "multicore-rust-interleaved",
      packageName: "multicore",
    }),
  ],
  baselineVariant: "rust",
  replicaVariant: "rust",
  memoryMb: [1536, 2048, 4096, 6144, 8192, 10_240],
  quickMemoryMb: [1536, 2048, 4096, 6144, 8192, 10_240],
  workersByMemoryMb,
  // The cold operation does no work: only Init is compared, and the hashes do not depend on it.
  coldOperation: "noop",
  warmOperations: ["hash", "noop"],
  requests: {
    hash: {
      parameters: { count: 20, mode: "auto" },
      // The expected value is the sum of the digests' first words, as computed by the bcrypt crate.
      expected: { processed: 20, value: 38_065_269_707 },
    },
  },
  // Published: 1,885 ms at 1,536 MB; the mean with noop is half of that.
  priors: { rust: { memoryMb: 1536, initMs: 25, firstMs: 2, secondMs: 2, warmMs: 950 } },
  timeoutSeconds: 120,
  presets: {
    quick: { environments: 9, warmEnvironments: 9, warmCalls: 9 },
    standard: { environments: 60, warmEnvironments: 60, warmCalls: 300 },
  },
  discardedCalls: 0,
};
