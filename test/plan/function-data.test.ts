import { describe, expect, it } from "vitest";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { s3Fanout } from "../../lib/experiments/s3-fanout/definition.ts";
import {
  bucketVariables,
  seedItems,
  seedObjects,
  workerVariables,
} from "../../lib/plan/function-data.ts";
import { findService } from "../../lib/plan/trial-calls.ts";
import { smallPlan } from "../support/small-plan.ts";

const [cell] = smallPlan().cells;
const { bucket: objects } = s3Fanout;
if (cell === undefined || objects === undefined) throw new Error("they have a cell, a bucket");

describe("what a function is told of its data", () => {
  it("is the bucket and the prefix of its objects, and the size of its pool if it has one", () => {
    expect(bucketVariables(objects, "b")).toEqual({
      BUCKET_NAME: "b",
      OBJECT_PREFIX: objects.prefix,
    });
    expect(workerVariables({ ...cell, workers: 6 })).toEqual({ WORKER_COUNT: "6" });
    expect(workerVariables(cell)).toEqual({});
  });
});

it.each([
  [{}, "DynamoDB"],
  [{ withBucket: true }, "S3"],
  [{ withBucket: true, withoutTable: true }, "S3"],
  [{ withoutTable: true }, undefined],
] as const)("the service that functions with %j call is %s", (data, service) => {
  expect(findService(data)).toBe(service);
});

describe("a seed", () => {
  it("has as many items of one partition as it declares, each with its own sort key, in their order", () => {
    const seed = dynamodb.table?.seed;
    if (seed === undefined) throw new Error("the experiment has a table");
    const items = seedItems(seed);
    expect(items).toHaveLength(seed.itemCount);
    expect(new Set(items.map(({ pk }) => pk))).toEqual(new Set([seed.pk]));
    const keys = items.map(({ sk }) => sk);
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(items.map(({ data }) => data.length)).toEqual(keys.map(() => seed.dataLength));
    expect(items.map(({ timestamp }) => timestamp)).toEqual(keys.map((_, index) => index));
  });

  it("has as many objects below the prefix as it declares, in the order of their keys", () => {
    const { prefix, seed } = objects;
    const seeded = seedObjects(objects);
    const keys = seeded.map(({ key }) => key);
    expect(keys).toHaveLength(seed.objectCount);
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(keys.every((key) => key.startsWith(prefix))).toBe(true);
    expect(seeded.every(({ body }) => body.length === seed.objectBytes)).toBe(true);
  });
});
