import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cargoCounts, pytestCounts, vitestCounts } from "./step-counts.ts";

describe("the last line of `npm test` counts", () => {
  it("every test binary of cargo", () => {
    const lines = [
      "running 3 tests",
      "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
      "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
    ];
    expect(cargoCounts(lines)).toEqual({ passed: 7, failed: 1 });
  });

  it("what pytest says at its end", () => {
    expect(pytestCounts(["....F", "1 failed, 94 passed in 5.90s"])).toEqual({
      passed: 94,
      failed: 1,
    });
  });

  it("vitest's own counts, and nothing where it was ended before it wrote them", () => {
    const folder = mkdtempSync(join(tmpdir(), "kelvin-counts-"));
    const path = join(folder, "counts.json");
    writeFileSync(path, JSON.stringify({ numPassedTests: 12, numFailedTests: 2 }));
    expect(vitestCounts(path)).toEqual({ passed: 12, failed: 2 });
    expect(vitestCounts(path)).toEqual({ passed: 0, failed: 0 });
    rmSync(folder, { recursive: true });
  });

  it("nothing of a runner that printed nothing", () => {
    expect(cargoCounts([])).toEqual({ passed: 0, failed: 0 });
    expect(pytestCounts([])).toEqual({ passed: 0, failed: 0 });
  });
});
