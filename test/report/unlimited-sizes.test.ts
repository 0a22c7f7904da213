import { describe, expect, it } from "vitest";
import { exitCodes, limitExitCode } from "../../bin/exit-codes.ts";
import { limitFinding } from "../../lib/analysis/limits.ts";
import type { Machine } from "../../lib/contract/types/contract.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import type { FixtureChoice } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const choice = {
  ...{ target: "local", memoryMb: [128, 1769], operations: ["get"], variants: ["python"] },
  ...{ cold: 8, warm: 80 },
} as const satisfies FixtureChoice;
const unlimited: Machine = {
  ...{ os: "Darwin 25", cpuModel: "A processor", cpus: 8, memoryMb: 16_000 },
  ...{ cpuQuota: "unthrottled", memoryLimit: "unlimited" },
};
const limits = ["warm.mean < 10000 ms", "memory < 4000 MB"].map(parseLimit);

describe("a size below one vCPU on a machine that does not limit sizes", () => {
  it("meets no limit on time, has no cost and no pick, and is not recommended", async () => {
    const made = { manifest: { machine: unlimited }, plan: { limits } };
    const { view, screen } = await fixtureReport(choice, made);
    const verdictAt = (memoryMb: number, quantity: string) =>
      view.limits?.find(
        ({ cell, limit }) => cell.memoryMb === memoryMb && limit.quantity === quantity,
      )?.verdict;
    expect(verdictAt(128, "warm")).toBe("not-measured");
    expect(verdictAt(1769, "warm")).toBe("met");
    expect(limitExitCode(limitFinding(view.limits ?? []))).toBe(exitCodes.notCompared);
    const [small, large] = view.cost.cells;
    expect(small).toMatchObject({ isUnlimited: true });
    expect(small?.warm.map(({ blendedUsdPerMillion }) => blendedUsdPerMillion)).toEqual([
      undefined,
    ]);
    expect(large?.warm[0]?.blendedUsdPerMillion).toBeGreaterThan(0);
    expect(view.recommendation?.variants.flatMap(({ sizes }) => sizes.length)).toEqual([1]);
    expect(screen).toContain("No size is recommended: this machine does not limit sizes below");
    expect(screen).toContain("not judged, as this machine does not limit sizes");
    expect(screen).not.toMatch(/ cheapest,|balanced|Take /);
  });

  it("is judged as any other where sizes are limited", async () => {
    const { view, screen } = await fixtureReport(choice, { plan: { limits } });
    expect(view.limits?.map(({ verdict }) => verdict)).not.toContain("not-measured");
    expect(screen).toContain("Take ");
  });
});
