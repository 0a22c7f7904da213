import { describe, expect, it } from "vitest";
import { fitConstants, meanOverSources } from "../../lib/prediction/fit.ts";
import { madeUpObservations, truth } from "./support/made-up.ts";

describe("the fit of the model", () => {
  it("finds the constants by which the figures were made", () => {
    const fitted = fitConstants(madeUpObservations(0, 1));
    expect(fitted.computeFactor).toBeCloseTo(truth.computeFactor, 6);
    // Four sources have both families: of each one's deviation from their mean, four fifths are believed.
    const [native, python] = [Math.log(1.3), Math.log(0.9)];
    const believed = (log: number) =>
      Math.exp((native + python) / 2 + 0.8 * (log - (native + python) / 2));
    expect(fitted.warmFactor["service/native"]).toBeCloseTo(believed(native), 6);
    expect(fitted.warmFactor["service/python"]).toBeCloseTo(believed(python), 6);
    expect(fitted.pythonStartFactor).toBeCloseTo(1.8, 6);
    // The choice of a wait draws the first request's constants a little towards it.
    const names = [
      "jitterMs",
      "firstCodeFactor",
      "firstWaitMs",
      "readMsPerMb",
      "sandboxMs",
    ] as const;
    for (const name of names) {
      expect(Math.abs(fitted[name] / truth[name] - 1), name).toBeLessThan(0.06);
    }
  });

  it("weighs a source with many figures as one with few", () => {
    const values = [
      { source: "a", value: 1 },
      { source: "b", value: 2 },
      { source: "b", value: 4 },
      { source: "b", value: 6 },
    ];
    const mean = meanOverSources(
      values,
      ({ source }) => source,
      ({ value }) => value,
    );
    expect(mean).toBe(2.5);
    expect(
      meanOverSources(
        [],
        () => "",
        () => 1,
      ),
    ).toBeUndefined();
  });

  it("leaves out what stands apart", () => {
    const all = madeUpObservations(0, 1);
    const apart = all.map((each) =>
      each.published.source === "cebert" && each.local.kind.work === "compute"
        ? { ...each, published: { ...each.published, durationMs: 1e6, isApart: true as const } }
        : each,
    );
    expect(fitConstants(apart).computeFactor).toBeCloseTo(truth.computeFactor, 6);
  });

  it("takes a factor of 1 of what no source has a figure of", () => {
    const { computeFactor, warmFactor } = fitConstants([]);
    expect([computeFactor, warmFactor]).toEqual([1, {}]);
  });
});
