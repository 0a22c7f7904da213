import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { s3Fanout } from "../../lib/experiments/s3-fanout/definition.ts";
import { chooseSpacing, inLanes } from "../../lib/plan/expand.ts";
import { seedItems } from "../../lib/plan/function-data.ts";
import { findDataRequests, serviceLimits, spacingBefore } from "../../lib/plan/trial-calls.ts";
import { smallPlan } from "../support/small-plan.ts";

describe("the calls of a plan for AWS", () => {
  it("stay below what a table, its partitions and a prefix carry, in any number of lanes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (lanes) => {
        for (const experiment of [dynamodb, s3Fanout]) {
          const spacing = chooseSpacing(experiment, lanes);
          expect(spacing.callSpacingMs).toBe(100);
          for (const operation of [experiment.coldOperation, ...experiment.warmOperations]) {
            const spacingMs = spacingBefore(spacing, operation);
            expect(spacingMs).toBeGreaterThanOrEqual(100);
            const asked = findDataRequests(operation, experiment.requests);
            const { read = 0, write = 0, list = 0, get = 0 } = asked ?? {};
            const { tableWriteUnits, partitionWriteUnits, partitionReadUnits, prefixGets } =
              serviceLimits;
            // Units of a call against what is carried between two calls: products alone are exact.
            expect(1000 * write).toBeLessThanOrEqual(partitionWriteUnits * spacingMs);
            expect(1000 * lanes * write).toBeLessThanOrEqual(tableWriteUnits * spacingMs);
            expect(1000 * lanes * read).toBeLessThanOrEqual(partitionReadUnits * spacingMs);
            expect(1000 * lanes * (list + get)).toBeLessThanOrEqual(prefixGets * spacingMs);
          }
        }
      }),
    );
  });

  it("start 100 ms apart but those of an operation of which the service carries fewer", () => {
    expect(chooseSpacing(dynamodb, 8)).toEqual({ callSpacingMs: 100 });
    expect(chooseSpacing(dynamodb, 19)).toEqual({
      callSpacingMs: 100,
      operationSpacingMs: { batch_write: 238 },
    });
    const { operationSpacingMs = {} } = chooseSpacing(s3Fanout, 8);
    expect(new Set(Object.values(operationSpacingMs))).toEqual(new Set([147]));
  });

  it("are spaced anew where the lanes are others, and never on one machine", () => {
    const memoryMb = [128, 256, 512, 1024, 1769, 3008];
    const plan = smallPlan({ target: "aws", lanes: 13, memoryMb });
    expect(plan.operationSpacingMs).toEqual({ batch_write: 163 });
    expect(inLanes(plan, 10).operationSpacingMs).toEqual({ batch_write: 125 });
    expect(inLanes(plan, 8)).not.toHaveProperty("operationSpacingMs");
    expect(inLanes(smallPlan({ lanes: 8 }), 16)).not.toHaveProperty("callSpacingMs");
  });

  it("are in no more lanes than a block has cells", () => {
    const plan = smallPlan({ target: "aws", lanes: 40 });
    expect(plan.lanes).toBe(plan.cells.length);
    expect(inLanes(plan, 40)).toEqual(plan);
  });
});

describe("the operation that writes the most", () => {
  const memoryMb = [128, 256, 512, 1024, 1769, 3008];
  const choice = { target: "aws", lanes: 13, memoryMb, cold: 12, warm: 96 } as const;
  const { blocks, cells } = smallPlan({ ...choice, preset: "standard" });

  it("has another place in the order of each of the trials that are made at the same time", () => {
    for (const { trials } of blocks) {
      const places = trials.map(({ warmOrder }) => warmOrder.indexOf("batch_write"));
      const most = Math.ceil(cells.length / 4);
      for (const place of [0, 1, 2, 3]) {
        expect(places.filter((each) => each === place).length).toBeLessThanOrEqual(most);
      }
    }
  });

  it("leaves each trial every operation once, and the others in their seeded order", () => {
    const here = smallPlan({ ...choice, target: "fake", preset: "standard" });
    const othersOf = (plan: typeof here) =>
      plan.blocks.map(({ trials }) =>
        trials.map(({ warmOrder }) => warmOrder.filter((each) => each !== "batch_write")),
      );
    expect(othersOf(smallPlan({ ...choice, preset: "standard" }))).toEqual(othersOf(here));
    for (const { warmOrder } of blocks.flatMap(({ trials }) => trials)) {
      expect([...warmOrder].sort()).toEqual(["batch_write", "get", "put", "query"]);
    }
  });
});

it("the seed is written within what one partition carries in a second", () => {
  const { table } = dynamodb;
  if (table === undefined) throw new Error("the experiment has a table");
  // Two units an item, as a put of one.
  const units = seedItems(table.seed).length * (findDataRequests("put")?.write ?? Number.NaN);
  expect(units).toBeLessThanOrEqual(serviceLimits.partitionWriteUnits);
});
