import { describe, expect, it } from "vitest";
import {
  type CostAndSpeed,
  type CostView,
  costAndSpeed,
  costView,
} from "../../lib/analysis/cost-view.ts";
import type { SeriesView } from "../../lib/analysis/series-view.ts";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { oneRun } from "./support/one-run.ts";

interface MadeUp {
  readonly id: string;
  readonly ms?: number;
  readonly usd?: number;
}

function pointsOf(cells: readonly MadeUp[]): readonly CostAndSpeed[] {
  const cost = {
    cells: cells.map(({ id, usd }) => ({
      cell: { id },
      warm: [{ operation: "get", ...(usd !== undefined && { warmUsdPerMillion: usd }) }],
    })),
  } as unknown as CostView;
  const series = cells.map(({ id, ms }) => ({
    cell: { id } as Cell,
    phase: "warm",
    operation: "get",
    durationMs: { n: 6, environments: 6, ...(ms !== undefined && { mean: ms }) },
  })) as unknown as readonly SeriesView[];
  return costAndSpeed(cost, series).flat();
}

function frontier(cells: readonly MadeUp[]): readonly string[] {
  return pointsOf(cells).flatMap(({ cell, isOnFrontier }) => (isOnFrontier ? [cell.id] : []));
}

describe("the frontier of cost and speed", () => {
  it("has the cells that no other one beats in both", () => {
    const cells = [
      { id: "quick-and-dear", ms: 2, usd: 3 },
      { id: "between", ms: 4, usd: 2 },
      { id: "beaten-by-between", ms: 5, usd: 2.5 },
      { id: "slow-and-cheap", ms: 9, usd: 1 },
    ];
    expect(frontier(cells)).toEqual(["quick-and-dear", "between", "slow-and-cheap"]);
  });

  it("keeps two cells that are equal in both, and drops one that is equal in one and worse in the other", () => {
    expect(
      frontier([
        { id: "a", ms: 2, usd: 1 },
        { id: "b", ms: 2, usd: 1 },
        { id: "as-quick-and-dearer", ms: 2, usd: 2 },
        { id: "as-cheap-and-slower", ms: 3, usd: 1 },
      ]),
    ).toEqual(["a", "b"]);
  });

  it("has no cell without a time or a price, and nothing to say of a single one", () => {
    const known = { id: "a", ms: 2, usd: 1 };
    expect(pointsOf([known, { id: "b", ms: 1 }, { id: "c", usd: 1 }])).toEqual([]);
    expect(pointsOf([known, { id: "b", ms: 1 }, { id: "d", ms: 3, usd: 3 }])).toHaveLength(2);
  });
});

describe("the cost of a cell", () => {
  const choice = {
    ...{ target: "aws", memoryMb: [512], variants: ["rust"], operations: ["get"] },
    ...{ replica: false, cold: 8 },
  } as const satisfies FixtureChoice;
  const costIn = async (region: string, warm = 80) => {
    const { plan, samples } = await oneRun({ ...choice, warm });
    return costView({ plan, samples, prices: publishedPrices, region }, 0.25);
  };

  it("is what the mean Billed Duration beside it costs, and a mean of both by the share of cold calls", async () => {
    const { requestUsdPerMillion = 0, ...cost } = await costIn("us-east-1");
    const [cell] = cost.cells;
    const [warm] = cell?.warm ?? [];
    const usd = (billedMs = Number.NaN) =>
      requestUsdPerMillion + 0.5 * (billedMs / 1000) * 0.0000133334 * 1e6;
    const [coldUsd, warmUsd] = [usd(cell?.coldBilledDurationMs), usd(warm?.billedDurationMs)];
    for (const [usdPerMillion, interval, expected] of [
      [cell?.coldUsdPerMillion, cell?.coldUsdInterval, coldUsd],
      [warm?.warmUsdPerMillion, warm?.warmUsdInterval, warmUsd],
      [warm?.blendedUsdPerMillion, warm?.blendedUsdInterval, 0.75 * warmUsd + 0.25 * coldUsd],
    ] as const) {
      expect(usdPerMillion).toBeCloseTo(expected, 9);
      expect(interval?.low).toBeLessThan(expected);
      expect(interval?.high).toBeGreaterThan(expected);
    }
  });

  it("is absent with the reason where no price is known, and of warm calls that were not made", async () => {
    const { cells, ...cost } = await costIn("nowhere", 0);
    expect(cost).not.toHaveProperty("requestUsdPerMillion");
    expect(cells).toMatchObject([
      { coldEnvironments: 8, coldBilledDurationMs: expect.any(Number), warm: [] },
    ]);
    expect(cells[0]?.priceAbsent).toContain("nowhere");
    expect(cells[0]).not.toHaveProperty("coldUsdPerMillion");
  });
});
