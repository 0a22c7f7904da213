import { join } from "node:path";
import { defineConfig } from "vitest/config";

const rooms = (process.env.KELVIN_MUTANTS_SEEN_BY ?? "").split(",");

// The unit tests that are to see a fault. StrykerJS runs them in a copy of the project.
export default defineConfig({
  root: join(import.meta.dirname, "..", ".."),
  test: {
    globalSetup: ["test/support/temporary-folder.ts"],
    setupFiles: ["test/support/property-seed.ts", "test/support/restored-mocks.ts"],
    include: rooms.map((room) => `test/${room}/**/*.test.ts`),
    isolate: false,
    testTimeout: 90_000,
  },
});
