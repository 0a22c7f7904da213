import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// The engines field says which Node is needed; the SDK would say it again in every worker.
const env = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
const slow = ["test/e2e/**/*.test.ts"];
/** After the others, as its project's name has it: it goes on from what they have built. */
const deploys = ["test/e2e/deploy-*.test.ts"];
const patience = { testTimeout: 600_000, hookTimeout: 2_400_000, fileParallelism: false };

export default defineConfig({
  test: {
    // Vitest would leave one out, and of two take one.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: "unit",
          env,
          include: ["test/**/*.test.ts"],
          exclude: slow,
          // One module cache a worker: loading the CDK anew for every file took half of the time.
          isolate: false,
          testTimeout: 90_000,
        },
      },
      { test: { name: "e2e", env, include: slow, exclude: deploys, ...patience } },
      { test: { name: "e2e-deploy", env, include: deploys, ...patience } },
    ],
  },
});
