import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from "vitest/node";

const files = (process.env.KELVIN_MUTANTS_SEEN_BY ?? "").split(",");

/**
 * StrykerJS reads results of tests alone, and takes a mutant that lets a test file fail before its first test for one
 * that survived. The reporter gives such a file a failed test.
 */
class UnloadableFiles implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(): void {
    for (const file of this.#vitest?.state.getFiles() ?? []) {
      if (file.result?.state !== "fail") continue;
      const test = { type: "test", name: "the file fails", file, mode: "run", meta: {} };
      Object.assign(file, { tasks: [...file.tasks, { ...test, result: file.result }] });
    }
  }
}

/** Runs the files that took the least time first: the first test that fails ends a mutant's run. */
class QuickFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(specifications)).toReversed();
  }
}

// The unit tests that are to see a fault. StrykerJS runs them in a copy of the project.
export default defineConfig({
  root: join(import.meta.dirname, "..", ".."),
  test: {
    globalSetup: ["test/support/temporary-folder.ts"],
    setupFiles: ["test/support/property-seed.ts", "test/support/restored-mocks.ts"],
    include: files.map((pattern) => `test/${pattern}.test.ts`),
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 90_000,
    reporters: [new UnloadableFiles()],
  },
});
