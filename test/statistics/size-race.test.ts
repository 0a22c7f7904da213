import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normal } from "../../bench/interval-study/populations.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import {
  type Criterion,
  isMeasuredIn,
  raceSizes,
  shareOfLook,
} from "../../lib/statistics/size-race.ts";
import { compareRacers, type Racer } from "../../lib/statistics/size-ratio.ts";

const looks = [6, 8, 10, 13, 17, 22, 29];
const rule = { looks, tolerance: 0.1, errorRate: 0.05 };
const blocks = 29;
/** What a size takes in each block: a level that all sizes share, and noise of its own. */
function racer(
  memoryMb: number,
  value: number | ((block: number) => number),
  by: number | ((block: number) => number) = 0.01,
  until = blocks,
): Racer {
  const random = new SeededRandom(memoryMb);
  const at = (each: typeof value, block: number) => (typeof each === "number" ? each : each(block));
  const values = Array.from({ length: until }, (_, block) => {
    const level = 0.3 * Math.sin(7 * block) + at(by, block) * normal(random);
    return [block, [at(value, block) * Math.exp(level)]] as const;
  });
  return { id: String(memoryMb), memoryMb, byBlock: new Map(values) };
}

const race = (...racers: readonly Racer[]): Criterion => ({ name: "time", racers });
const only = (criterion: Criterion, options: Parameters<typeof raceSizes>[1] = rule) => {
  const { races, ...rest } = raceSizes([criterion], options);
  const [first] = races;
  if (first === undefined) throw new Error("there is a race");
  return { ...first, ...rest };
};

describe("a race of sizes", () => {
  it("is decided at the first look where one size is far ahead", () => {
    const { chosen, exits, isDecided, stints } = only(race(racer(128, 4), racer(512, 1)));
    expect(chosen).toEqual({ id: "512", blocks: 6 });
    expect(exits).toEqual([{ id: "128", blocks: 6, why: "beaten", by: "512" }]);
    expect({ isDecided, last: stints.at(-1) }).toEqual({
      isDecided: true,
      last: { from: 6, ids: [] },
    });
  });

  it("takes the smaller of two that are the same to the tolerance", () => {
    const { chosen, exits } = only(race(racer(512, 1.03), racer(1024, 1)));
    expect(chosen?.id).toBe("512");
    expect(exits).toMatchObject([{ id: "1024", why: "covered", by: "512" }]);
  });

  it("puts out only what is beaten by far before there are enough calls", () => {
    const waiting = { ...rule, blocksToDecide: 17 };
    const racers = [racer(128, 4), racer(512, 1.2), racer(1024, 1)];
    const early = only(race(...racers), { ...waiting, looks: looks.slice(0, 3) });
    expect(early.exits).toMatchObject([{ id: "128", why: "beaten", blocks: 6 }]);
    expect(early).toMatchObject({ isDecided: false, blocksNeeded: 17 });
    const later = only(race(...racers), waiting);
    expect(later.chosen).toEqual({ id: "1024", blocks: 17 });
    expect(later).not.toHaveProperty("blocksNeeded");
  });

  it.each([
    ["time", (ms: number) => [ms]],
    ["second quantity", (ms: number) => [1, ms]],
  ])(
    "waits for more calls where some size has seen one that is rare and long: its %s",
    (_, row) => {
      const waiting = { ...rule, blocksToDecide: 13, blocksWhereRare: 22 };
      const withOne = (factor: number) => {
        const third = racer(256, (block) => (block === 4 ? factor * 1.2 : 1.2));
        return race(
          ...[racer(512, 1.2), racer(1024, 1), third].map((each) => ({
            ...each,
            byBlock: new Map([...each.byBlock].map(([block, [ms = 0]]) => [block, row(ms)])),
          })),
        );
      };
      const exitsAt = (factor: number, until = looks) =>
        only(withOne(factor), { ...waiting, looks: until }).exits.map((exit) => exit.blocks);
      // A third size's long call delays the choice between the other two; a short one does not.
      expect(exitsAt(1)[0]).toBe(13);
      expect(exitsAt(0.1)[0]).toBe(13);
      expect(exitsAt(10)[0]).toBe(22);
      expect(only(withOne(10), { ...waiting, looks: looks.slice(0, 5) }).blocksNeeded).toBe(22);
      // Five blocks are too few to tell what is rare.
      expect(only(withOne(10), { ...waiting, looks: [5] }).blocksNeeded).toBe(13);
    },
  );

  it("does not decide between sizes that drift by themselves as if their blocks were independent", () => {
    const drifting = (memoryMb: number, phase: number) =>
      racer(memoryMb, (block) => 1 + 0.15 * Math.sin(block / 5 + phase), 0.005);
    const independent = only(race(racer(512, 1.12, 0.05), racer(1024, 1, 0.05)));
    expect(independent.chosen?.id).toBe("1024");
    const found = only(race(drifting(512, 0), drifting(1024, 3)), { ...rule, looks: [22, 29] });
    expect(found).not.toHaveProperty("chosen");
  });

  it("takes the larger where the smaller is worse by more than the tolerance", () => {
    expect(only(race(racer(512, 1.15), racer(1024, 1))).chosen?.id).toBe("1024");
  });

  it("names both, with the interval of their ratio, where the looks end before it can tell", () => {
    const noisy = only(race(racer(512, 1.02, 0.3), racer(1024, 1, 0.3)));
    expect(noisy).toMatchObject({ isDecided: false, exits: [] });
    expect(noisy).not.toHaveProperty("chosen");
    expect(noisy.left.toSorted()).toEqual(["1024", "512"]);
    const [ratio] = noisy.against;
    expect(ratio?.blocks).toBe(blocks);
    expect(ratio?.low).toBeLessThan(1);
    expect(ratio?.high).toBeGreaterThan(1);
  });

  it("drops a size that is out of every race, and no other", () => {
    const cost = race(racer(128, 1), racer(256, 2), racer(512, 1.05, 0.5));
    const time = race(racer(128, 4), racer(256, 2), racer(512, 1));
    const { stints } = raceSizes([{ ...cost, name: "cost" }, time], rule);
    expect(stints[0]).toEqual({ from: 0, ids: ["128", "256", "512"] });
    expect(stints[1]).toEqual({ from: 6, ids: ["128", "512"] });
    expect(isMeasuredIn(stints, "256", 5)).toBe(true);
    expect(isMeasuredIn(stints, "256", 6)).toBe(false);
    expect(isMeasuredIn(stints, "128", 28)).toBe(true);
  });

  it("brings back what a smaller size covered when that one is beaten itself", () => {
    // Until block 8, 128 MB seems as good as 1,024 MB, which is then measured no more; 512 MB is better.
    const first = racer(128, (block) => (block < 8 ? 1 : 1.5));
    const second = racer(512, 1, (block) => (block < 8 ? 0.3 : 0.02));
    const found = only(race(first, second, racer(1024, 1.02)));
    const of = (id: string) => found.exits.filter((exit) => exit.id === id);
    expect(found.stints.some(({ ids }) => !ids.includes("1024"))).toBe(true);
    expect(of("128")).toMatchObject([{ why: "beaten" }]);
    expect(of("1024").every(({ by }) => by !== "128")).toBe(true);
  });

  it("puts out a size that failed in most blocks, and goes on without it", () => {
    const failing = racer(128, 0.1, 0.01, 2);
    const { chosen, exits } = only(race(failing, racer(512, 1), racer(1024, 2)));
    expect(exits).toContainEqual({ id: "128", blocks: 6, why: "failed" });
    expect(chosen?.id).toBe("512");
  });

  it("goes on with a size that was measured in half of the blocks", () => {
    const { exits } = only(race(racer(128, 0.1, 0.01, 3), racer(512, 1)), { ...rule, looks: [6] });
    expect(exits).toEqual([{ id: "512", blocks: 6, why: "beaten", by: "128" }]);
  });

  it("chooses the only size there is", () => {
    expect(only(race(racer(512, 1)))).toMatchObject({ chosen: { id: "512", blocks: 6 } });
  });

  it("goes on measuring a size that is needed for another reason, until it is not", () => {
    const sizes = race(racer(128, 4), racer(512, 1));
    const isNeeded = (id: string, after: number) => id === "128" && after < 10;
    const measuredFrom = (until: readonly number[]) =>
      only(sizes, { ...rule, looks: until, isNeeded });
    const kept = { chosen: { id: "512", blocks: 6 }, isDecided: false, kept: ["128"] };
    expect(measuredFrom([6, 8])).toMatchObject(kept);
    const { stints, ...later } = measuredFrom(looks);
    expect(later).toMatchObject({ ...kept, isDecided: true, kept: [] });
    expect(stints.map(({ from, ids }) => [from, ids])).toEqual([
      [0, ["128", "512"]],
      [6, ["128"]],
      [8, ["128"]],
      [10, []],
    ]);
  });

  it("lets a size be covered by one that is left, and by no chain of small steps", () => {
    // All take the same. Neighbours differ by a noise of 6.3%, and 128 MB and 512 MB by both of their noises.
    const signs = [(block: number) => block & 1, (block: number) => (block >> 1) & 1];
    const noise = (memoryMb: number, of: typeof signs): Racer => {
      const byBlock = Array.from({ length: 8 }, (_, block) => {
        const logs = of.map((sign) => (sign(block) === 1 ? 0.063 : -0.063));
        return [block, [1 + logs.reduce((sum, log) => sum + log, 0)]] as const;
      });
      return { id: String(memoryMb), memoryMb, byBlock: new Map(byBlock) };
    };
    const sizes = [noise(128, signs), noise(256, signs.slice(0, 1)), noise(512, [])];
    const [smallest, middle, largest] = sizes as [Racer, Racer, Racer];
    const eight = { ...rule, looks: [8] };
    expect(only(race(middle, largest), eight)).toMatchObject({ exits: [{ id: "512" }] });
    expect(only(race(smallest, middle, largest), eight)).toMatchObject({
      exits: [{ id: "256", why: "covered", by: "128" }],
      left: expect.arrayContaining(["128", "512"]),
    });
  });

  it("drops the sizes that an interval at its share of the error rate beats or covers, and no others", () => {
    const size = fc.tuple(
      fc.double({ min: 0.9, max: 1.1, noNaN: true }),
      fc.double({ min: 0.005, max: 0.1, noNaN: true }),
    );
    // None is far enough from another to drop out at the looks before it may decide, which have their own share.
    const lookedAt = fc.constantFrom({ looks: [8] }, { looks: [3, 4, 5, 6, 8], blocksToDecide: 8 });
    fc.assert(
      fc.property(fc.array(size, { minLength: 2, maxLength: 5 }), lookedAt, (sizes, when) => {
        const racers = sizes.map(([each, by], index) => racer(128 * 2 ** index, each, by, 8));
        const { exits, left } = only(race(...racers), { ...rule, ...when });
        const tail = (0.05 * 0.25 * (7 / 8)) / (sizes.length - 1);
        const of = (id: string) => racers.find((each) => each.id === id) as Racer;
        const ratioOf = (one: Racer, other: Racer) => compareRacers(one, other, { tail });
        const isBeaten = (one: Racer) =>
          racers.some((other) => one !== other && (ratioOf(one, other).low ?? 0) > 1);
        const covers = (one: Racer, other: Racer) =>
          one.memoryMb < other.memoryMb && (ratioOf(one, other).high ?? 2) <= 1.1;
        const byReason = (why: string) => exits.filter((exit) => exit.why === why);
        expect(byReason("beaten").map(({ id }) => of(id))).toEqual(
          expect.arrayContaining(racers.filter(isBeaten)),
        );
        expect(byReason("beaten").every(({ id }) => isBeaten(of(id)))).toBe(true);
        for (const { id, by = "" } of byReason("covered")) {
          expect(left).toContain(by);
          expect(covers(of(by), of(id))).toBe(true);
        }
        const stay = left.map(of);
        expect(stay.some((one) => stay.some((other) => covers(one, other)))).toBe(false);
        const figures = stay.map((each) => ratioOf(each, racers[0] as Racer).ratio);
        expect(figures).toEqual(figures.toSorted((a, b) => a - b));
        expect(left.length + exits.length).toBe(sizes.length);
      }),
    );
  });

  it("spends its error rate once over all looks, however many, and an eighth of it before it may decide", () => {
    for (const early of [0, 1, 3, 8]) {
      const shares = Array.from({ length: 40 }, (_, index) => shareOfLook(index, early));
      const sumOf = (of: readonly number[]) => of.reduce((sum, share) => sum + share, 0);
      expect(sumOf(shares.slice(0, early))).toBeLessThan(1 / 8);
      expect(sumOf(shares.slice(early))).toBeCloseTo(7 / 8, 6);
      expect(shares.slice(early, early + 3)).toEqual([7 / 32, 7 / 32, 7 / 32]);
      const later = [...shares.slice(0, early), ...shares.slice(early + 2)];
      for (const [index, share] of later.entries()) {
        if (index > 0 && index !== early) expect(share).toBe((later[index - 1] ?? 0) / 2);
      }
    }
  });

  it("is over without a choice where every size failed", () => {
    const found = only(race(racer(128, 1, 0.01, 1), racer(512, 1, 0.01, 0)));
    expect(found).toMatchObject({ isDecided: true, left: [] });
    expect(found).not.toHaveProperty("chosen");
  });

  it("is the same of values that were dropped as of values that never were", () => {
    const value = fc.double({ min: 0.5, max: 2, noNaN: true });
    const noise = fc.double({ min: 0, max: 0.2, noNaN: true });
    const one = fc.tuple(value, noise);
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 5 }), (values) => {
        const racers = values.map(([each, by], index) => racer(128 * 2 ** index, each, by));
        const whole = only(race(...racers));
        const made = racers.map((each) => ({
          ...each,
          byBlock: new Map(
            [...each.byBlock].filter(([block]) => isMeasuredIn(whole.stints, each.id, block)),
          ),
        }));
        expect(only(race(...made))).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it("decides nothing otherwise where more looks are to come", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: looks.length }), (count) => {
        const criterion = race(racer(128, 1.3, 0.2), racer(256, 1, 0.2), racer(512, 1.02, 0.05));
        const some = only(criterion, { ...rule, looks: looks.slice(0, count) });
        const all = only(criterion);
        const before = (exits: typeof all.exits) =>
          exits.filter((exit) => exit.blocks <= (looks[count - 1] ?? 0));
        expect(before(all.exits)).toEqual(expect.arrayContaining([...some.exits]));
      }),
    );
  });

  it("holds a product of two means against its square root, so that its precision is theirs", () => {
    const twice = (memoryMb: number, cost: number, ms: number): Racer => {
      const { byBlock, ...rest } = racer(memoryMb, 1);
      const both = [...byBlock].map(
        ([block, [value = 1]]) => [block, [cost * value, ms * value]] as const,
      );
      return { ...rest, byBlock: new Map(both) };
    };
    const racers = [twice(128, 1, 4), twice(512, 1, 1)];
    const { against } = only({ name: "balanced", racers });
    expect(against).toMatchObject([{ id: "128", ratio: expect.closeTo(0.5, 1) }]);
  });
});
