import { expect, it } from "vitest";
import { resamplingPlan } from "../../lib/statistics/resampling.ts";

const environments = (stride: number) =>
  Array.from({ length: 100 }, (_, index) => ({
    block: index,
    value: 100 + ((stride * index) % 100),
  }));

const shared = () => resamplingPlan(environments(37), environments(53), "shared-blocks");
const apart = () => resamplingPlan(environments(37), environments(53), "independent");

it("draws the same for a ratio whatever was drawn before it", () => {
  const [draws, seed] = [500, 7];
  const first = shared().drawnLogRatios(draws, seed);
  const others = [
    apart().drawnLogRatios(draws, seed),
    shared().drawnLogRatios(draws, seed + 1),
    shared().drawnLogRatios(draws - 1, seed),
  ];
  expect(shared().drawnLogRatios(draws, seed)).toEqual(first);
  expect(others[0]).not.toEqual(first);
  expect(others[1]).not.toEqual(first);
  expect(others[2]).toEqual(first.slice(0, -1));
});

it("draws more than are kept as it draws the fewer that are", () => {
  const [many, few] = [50_000, 1000].map((draws) => shared().drawnLogRatios(draws, 3));
  expect(many?.slice(0, 1000)).toEqual(few);
});
