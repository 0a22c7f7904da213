import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { s3Fanout } from "../../lib/experiments/s3-fanout/definition.ts";
import { chooseSpacing, forEachConcurrently } from "../../lib/plan/expand.ts";
import { seedItems } from "../../lib/plan/function-data.ts";
import { findDataRequests, serviceLimits } from "../../lib/plan/trial-calls.ts";
import { smallPlan } from "../support/small-plan.ts";

describe("the calls of a plan for AWS", () => {
  it("stay below what a table, its partitions and a prefix carry, in any number of lanes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (lanes) => {
        for (const experiment of [dynamodb, s3Fanout]) {
          const spacingMs = chooseSpacing(experiment, lanes);
          expect(spacingMs).toBeGreaterThanOrEqual(100);
          for (const operation of experiment.warmOperations) {
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

  it("start 100 ms apart in the usual lanes on a table, and further apart where a prefix asks for it", () => {
    expect(chooseSpacing(dynamodb, 8)).toBe(100);
    expect(chooseSpacing(s3Fanout, 4)).toBe(100);
    expect(chooseSpacing(s3Fanout, 8)).toBe(147);
  });

  it("are spaced anew where the lanes are others, and never on one machine", () => {
    const plan = smallPlan({ target: "aws", lanes: 8 });
    expect(forEachConcurrently(plan, 16)).toMatchObject({ lanes: 16, callSpacingMs: 200 });
    expect(forEachConcurrently(smallPlan({ lanes: 8 }), 16)).not.toHaveProperty("callSpacingMs");
  });

  it("find a table whose seed was written within what one partition carries in a second", () => {
    const { table } = dynamodb;
    if (table === undefined) throw new Error("the experiment has a table");
    // Two units an item, as a put of one.
    const units = seedItems(table.seed).length * (findDataRequests("put")?.write ?? Number.NaN);
    expect(units).toBeLessThanOrEqual(serviceLimits.partitionWriteUnits);
  });
});
