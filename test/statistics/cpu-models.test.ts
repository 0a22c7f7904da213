import { describe, expect, it } from "vitest";
import { ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import {
  onSeveralModels,
  ratioWithinModels,
  withoutModelEffects,
} from "../../lib/statistics/cpu-models.ts";
import { meanPerEnvironment, type Series } from "../../lib/statistics/series.ts";
import { standardNormal } from "./simulated-series.ts";
import { simulated } from "./support/simulated.ts";

const factors: Readonly<Record<string, number>> = { fast: 1, slow: 1.4, slowest: 2 };

/** An environment a block, of the models in their order, each of which takes its factor times as long. */
function onModels(ms: number, models: readonly (string | undefined)[]): Series {
  const units = models.map((cpuModel, block) => ({
    block,
    values: [ms * (factors[cpuModel ?? "fast"] ?? 1) * (1 + 0.001 * ((7 * block) % 5))],
    ...(cpuModel !== undefined && { cpuModel }),
  }));
  return { units };
}

const fast = Array<string>(6).fill("fast");
const slow = Array<string>(6).fill("slow");
const mostlyFast = [...fast, ...fast, "slow", "slow"];
const unknown = undefined;
const mostlySlow = [...slow, ...slow, "fast", "fast"];
const options = { seed: 1, draws: 1000, pairing: "shared-blocks" } as const;
const plan = { seed: 1, target: "aws" } as const;

function within(above: Series, below: Series) {
  const sides = onSeveralModels(above, below, "shared-blocks");
  if (sides === undefined) throw new Error("there are several models");
  return ratioWithinModels(sides, options);
}

describe("environments on several CPU models", () => {
  it("are compared with those of the same model, whatever share each side has", () => {
    const found = within(onModels(11, mostlySlow), onModels(10, mostlyFast));
    if (found.kind !== "ratio") throw new Error("there is an interval");
    expect(found.ratio).toBeCloseTo(1.1, 2);
    expect(found.low).toBeGreaterThan(1.09);
    expect(found.high).toBeLessThan(1.11);
    expect(found).toMatchObject({ numeratorN: 14, denominatorN: 14 });
  });

  it("have the inverse ratio with the inverse interval where the sides change places", () => {
    const [above, below] = [onModels(11, mostlySlow), onModels(10, mostlyFast)];
    const [one, other] = [within(above, below), within(below, above)];
    if (one.kind !== "ratio" || other.kind !== "ratio") throw new Error("there are intervals");
    expect(one.ratio * other.ratio).toBeCloseTo(1, 9);
    expect(one.low * other.high).toBeCloseTo(1, 9);
  });

  it("have no ratio where the sides never had the same one", () => {
    const compared = withVerdict(
      ratioOfSeries(onModels(10, fast), onModels(10, slow), plan, options.draws),
    );
    expect(compared).toMatchObject({ verdict: "undecided", undecidedReason: "too-few" });
    expect(compared).toMatchObject({ environments: 0, leftOut: { environments: 6 } });
    expect(compared).not.toHaveProperty("pValue");
  });

  it("leave out a model that one side alone has", () => {
    const models = [...fast, ...fast, "slowest"];
    const compared = withVerdict(
      ratioOfSeries(onModels(10, models), onModels(10, [...fast, ...fast, "fast"]), plan, 1000),
    );
    expect(compared).toMatchObject({ cpuModels: 1, environments: 12, verdict: "equivalent" });
    expect(compared.ratio).toBeCloseTo(1, 2);
  });

  it("count a model that is not reported as one more, on either side, and none without a call", () => {
    const [known, partly] = [onModels(10, fast), onModels(10, [...fast.slice(1), unknown])];
    for (const pairing of ["shared-blocks", "independent"] as const) {
      expect(onSeveralModels(known, partly, pairing)).toBeDefined();
      expect(onSeveralModels(partly, known, pairing)).toBeDefined();
    }
    const empty = { units: [...known.units, { block: 5, values: [], cpuModel: "slow" }] };
    expect(onSeveralModels(known, empty, "shared-blocks")).toBeUndefined();
  });

  it("are those of the blocks that both sides have, unless the sides are independent", () => {
    const [long, short] = [onModels(10, [...fast, "slow"]), onModels(10, fast)];
    expect(onSeveralModels(long, short, "shared-blocks")).toBeUndefined();
    expect(onSeveralModels(long, short, "independent")).toEqual({ above: long, below: short });
  });

  it("weigh a model's ratio by n m / (n + m) of its environments", () => {
    const of = (ms: readonly number[], fasts: number) => ({
      units: Array.from({ length: 12 }, (_, block) => ({
        ...{ block, values: [ms[block < fasts ? 0 : 1] ?? 0] },
        cpuModel: block < fasts ? "fast" : "slow",
      })),
    });
    // Twice as long on the fast model, with 9 and 3 environments, and the same on the slow one, with 3 and 9.
    const even = ratioWithinModels({ above: of([20, 30], 9), below: of([10, 30], 3) }, options);
    expect(even).toMatchObject({ kind: "ratio", ratio: expect.closeTo(Math.SQRT2, 9) });
    // 9 and 6 environments weigh 3.6, and 3 and 6 weigh 2.
    const sides = { above: of([20, 30], 9), below: of([10, 30], 6) };
    const ratio = expect.closeTo(2 ** (3.6 / 5.6), 9);
    expect(ratioWithinModels(sides, options)).toMatchObject({ ratio, pairedBlocks: 12 });
    const apart = { ...options, pairing: "independent" } as const;
    expect(ratioWithinModels(sides, apart)).toMatchObject({ ratio, pairedBlocks: 0 });
  });

  it("have no ratio of fewer than six environments on shared models, nor of a time of 0", () => {
    const sides = {
      above: onModels(10, [...fast, "slow"]),
      below: onModels(10, [...slow, "fast"]),
    };
    expect(ratioWithinModels(sides, options)).toMatchObject({ kind: "ratio", numeratorN: 7 });
    const five = onModels(10, ["slow", ...fast.slice(2)]);
    const fewer = { above: five, below: sides.below };
    expect(ratioWithinModels(fewer, options)).toEqual({ kind: "insufficient", needed: 6, n: 5 });
    const zero = { above: onModels(0, mostlyFast), below: onModels(10, mostlyFast) };
    expect(ratioWithinModels(zero, options)).toEqual({ kind: "not-positive", found: 0 });
  });

  it("say nothing new where all had one model, or none is known", () => {
    for (const model of ["fast", undefined]) {
      const models = Array<string | undefined>(9).fill(model);
      const [above, below] = [onModels(11, models), onModels(10, models)];
      expect(onSeveralModels(above, below, "shared-blocks")).toBeUndefined();
      expect(ratioOfSeries(above, below, plan)).not.toHaveProperty("cpuModels");
    }
  });

  it("take as long as on one model once its factor is divided out", () => {
    const sides = { above: onModels(11, mostlySlow), below: onModels(10, mostlyFast) };
    const alike = withoutModelEffects(sides);
    const spread = (series: Series) => {
      const means = meanPerEnvironment(series);
      return Math.max(...means) / Math.min(...means);
    };
    expect(spread(sides.above)).toBeGreaterThan(1.3);
    expect(spread(alike.above)).toBeLessThan(1.01);
    expect(spread(alike.below)).toBeLessThan(1.01);
  });
});

simulated(
  "the same function on CPU models that come in runs of hosts is hardly ever called faster or slower where the models are known",
  () => {
    const random = new SeededRandom(5);
    const called = { known: 0, unknown: 0 };
    for (let round = 0; round < 100; round += 1) {
      const [one, other] = [0, 1].map(() => hostRuns(40, random));
      if (one === undefined || other === undefined) throw new Error("there are two");
      called.known += Number(isCalled(one, other));
      called.unknown += Number(isCalled(withoutModels(one), withoutModels(other)));
    }
    expect(called.unknown).toBeGreaterThan(5);
    expect(called.known).toBeLessThanOrEqual(2);
  },
);

function hostRuns(environments: number, random: SeededRandom): Series {
  let model = random.below(2);
  const units = Array.from({ length: environments }, (_, block) => {
    if (random.below(100) < 15) model = random.below(2);
    const log = 0.22 * model + 0.07 * standardNormal(random);
    return { block, values: [20 * Math.exp(log)], cpuModel: `model ${model}` };
  });
  return { units };
}

function withoutModels({ units }: Series): Series {
  return { units: units.map(({ block, values }) => ({ block, values })) };
}

function isCalled(one: Series, other: Series): boolean {
  const { verdict } = withVerdict(ratioOfSeries(one, other, plan, 400));
  return verdict === "faster" || verdict === "slower";
}
