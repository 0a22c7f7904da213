import { expect, it } from "vitest";
import { currentPlan, currentSample } from "../../lib/contract/earlier-schemas.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { smallPlan } from "../support/small-plan.ts";

const plan: Plan = JSON.parse(JSON.stringify(smallPlan()));

/** Returns the plan as version 1 stored it. */
function firstVersion({ cells, blocks, ...rest }: Plan) {
  return {
    ...rest,
    schemaVersion: 1,
    cells: cells.map(({ replicaOf, ...cell }) => ({
      ...cell,
      ...(replicaOf !== undefined && { twinOf: replicaOf }),
    })),
    blocks: blocks.map(({ index, trials }) => ({ index, visits: trials })),
  };
}

it("a stored plan of version 1 is read as the same plan, its instrumented part included", () => {
  expect(plan.cells.some(({ replicaOf }) => replicaOf !== undefined)).toBe(true);
  const { blocks } = firstVersion(plan);
  const sizes = { environments: 1, warmEnvironments: 1, warmCalls: 2, discardedCalls: 1 };
  const earlier = { ...firstVersion(plan), instrumented: { sizes, blocks } };
  const current = { ...plan, instrumented: { sizes, blocks: plan.blocks } };
  expect(validated("plan", currentPlan(earlier))).toEqual(current);
  expect(currentPlan(current)).toBe(current);
});

it.each([undefined, null, 7, "{}", [], {}, { schemaVersion: 3 }])(
  "what is no plan of an earlier version is left to the schema: %j",
  (value) => {
    expect(currentPlan(value)).toBe(value);
    expect(currentSample(value)).toBe(value);
  },
);

it("a plan of version 1 without its cells is refused for that", () => {
  const { cells: _, ...rest } = firstVersion(plan);
  expect(() => validated("plan", currentPlan(rest))).toThrow("plan.cells: found nothing");
});

it("a plan of a later version is refused for its version, with the one that is known", () => {
  const later = { ...plan, schemaVersion: 3 };
  expect(() => validated("plan", currentPlan(later))).toThrow(
    "plan.schemaVersion: found 3; allowed: 2",
  );
});

it("a stored sample names its replica's original as the plan does", () => {
  const cell = { id: "a-replica", twinOf: "a", memoryMb: 128 };
  expect(currentSample({ cell, block: 1 })).toEqual({
    cell: { id: "a-replica", replicaOf: "a", memoryMb: 128 },
    block: 1,
  });
});
