import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { forEachConcurrently } from "../../lib/sampler/result-store.ts";

describe("work in lanes", () => {
  it("is done once on every item, and never on more at a time than there are lanes", async () => {
    const [begun, done]: [number[], number[]] = [[], []];
    let atATime = 0;
    let most = 0;
    await forEachConcurrently(Array.from({ length: 20 }).keys(), 3, async (item) => {
      begun.push(item);
      atATime += 1;
      most = Math.max(most, atATime);
      await delay(item % 3);
      atATime -= 1;
      done.push(item);
    });
    expect(begun).toEqual([...Array.from({ length: 20 }).keys()]);
    expect(done.sort((a, b) => a - b)).toEqual(begun);
    expect(most).toBe(3);
  });

  it("ends with a failure once what is under way has ended, and begins nothing after it", async () => {
    const begun: number[] = [];
    const done: number[] = [];
    const work = forEachConcurrently([0, 1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error("broken");
      await delay(5);
      done.push(item);
    });
    await expect(work).rejects.toThrow("broken");
    expect(begun).toEqual([0, 1]);
    expect(done).toEqual([0]);
  });

  it("is none where there are no items", async () => {
    await forEachConcurrently([], 4, async () => expect.unreachable());
  });
});
