import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { cargoCounts, pytestCounts, vitestCounts } from "./step-counts.ts";

describe("the last line of `npm test` counts", () => {
  it("every test binary of cargo", () => {
    const lines = [
      "running 3 tests",
      "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
      "test event::tests::is_read ... FAILED",
      "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
    ];
    const failures = ["test event::tests::is_read ... FAILED"];
    expect(cargoCounts(lines)).toEqual({ passed: 7, failed: 1, failures });
  });

  it("what pytest says at its end", () => {
    const named = "FAILED tests/test_event.py::test_read - assert 1 == 2";
    expect(pytestCounts(["....F", named, "1 failed, 94 passed in 5.90s"])).toEqual({
      passed: 94,
      failed: 1,
      failures: [named],
    });
  });

  it("vitest's own counts, and nothing where it was ended before it wrote them", () => {
    const folder = temporaryFolder();
    const path = join(folder, "counts.json");
    const of = (fullName: string, status: string, ...failureMessages: readonly string[]) => {
      return { fullName, status, failureMessages };
    };
    const testResults = [
      {
        name: join(projectPaths.root, "test/a.test.ts"),
        status: "failed",
        message: "",
        assertionResults: [of("a b", "passed"), of("a c", "failed", "Error: 1 is 2\n    at a")],
      },
      {
        name: join(projectPaths.root, "test/b.test.ts"),
        status: "failed",
        message: "SyntaxError: no",
        assertionResults: [],
      },
    ];
    writeFileSync(path, JSON.stringify({ numPassedTests: 12, numFailedTests: 1, testResults }));
    const failures = ["test/a.test.ts > a c: Error: 1 is 2", "test/b.test.ts: SyntaxError: no"];
    expect(vitestCounts(path)).toEqual({ passed: 12, failed: 1, failures });
    expect(vitestCounts(path)).toEqual({ passed: 0, failed: 0, failures: [] });
  });

  it("nothing of a runner that printed nothing", () => {
    expect(cargoCounts([])).toEqual({ passed: 0, failed: 0, failures: [] });
    expect(pytestCounts([])).toEqual({ passed: 0, failed: 0, failures: [] });
  });
});
