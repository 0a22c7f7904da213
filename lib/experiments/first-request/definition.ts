import type { CargoBuild, Experiment, Variant } from "../../plan/experiment.ts";
import { timedConnectionNetwork } from "../local-network.ts";
import { rustVariant, tunedBuild } from "../variants.ts";

/** `firstRequest` measures where the first request's time goes, and what removes it. */
export const firstRequest: Experiment = {
  id: "first-request",
  title: "The first request of a Rust function",
  question: "Where do the 900 ms of the first request go, and what removes them?",
  variants: [
    rust("breakdown", "Breakdown (two connections by hand, then GetItem)", "by-hand"),
    rust("unwarmed", "Unwarmed (SDK defaults)", "sdk-defaults"),
    {
      ...rust("warmed", "Warmed (ListTables at the end of Init)", "sdk-defaults"),
      unscopedCalls: ["dynamodb:ListTables"],
    },
    // Cargo keeps one folder per profile: a build with its own variables needs its own profile.
    rust("no-jitter", "aws-lc without CPU-jitter entropy", "sdk-defaults", {
      profile: "no-jitter",
      environment: { AWS_LC_SYS_NO_JITTER_ENTROPY: "1" },
    }),
    rust("ring", "ring instead of aws-lc", "ring"),
    { ...rust("tuned", "Tuned (the best of all)", "fast", tunedBuild), trustStore: "bundled" },
  ],
  baselineVariant: "unwarmed",
  replicaVariant: "unwarmed",
  memoryMb: [128, 256, 512, 1024, 1769, 3008],
  quickMemoryMb: [128, 512, 1769],
  coldOperation: "get",
  warmOperations: ["get"],
  timeoutSeconds: 30,
  presets: {
    quick: { environments: 10, warmEnvironments: 9, warmCalls: 90 },
    standard: { environments: 60, warmEnvironments: 60, warmCalls: 480 },
  },
  discardedCalls: 3,
  table: { calls: ["dynamodb:GetItem"], seed: { pk: "seed", itemCount: 25, dataLength: 1000 } },
  localNetwork: timedConnectionNetwork,
};

function rust(
  id: string,
  label: string,
  feature: string,
  build: Partial<Pick<CargoBuild, "profile" | "environment">> = {},
): Variant {
  const crate = { binaryName: `first-request-${id}`, packageName: "first-request" };
  return rustVariant(id, label, { ...crate, features: [feature], ...build });
}
