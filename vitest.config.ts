import { defineConfig } from "vitest/config";

// The engines field says which Node is needed; the SDK would say it again in every worker.
const env = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
const slow = ["test/e2e/**/*.test.ts"];

export default defineConfig({
  test: {
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
      {
        test: {
          name: "e2e",
          env,
          include: slow,
          testTimeout: 600_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
