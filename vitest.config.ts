import { defineConfig } from "vitest/config";

const slow = ["test/e2e/**/*.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: slow,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: slow,
          testTimeout: 600_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
