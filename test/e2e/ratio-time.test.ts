import { expect, test } from "vitest";
import { ratioTimes } from "../../bench/ratio-time.ts";
import { compute } from "../../lib/experiments/compute/definition.ts";

/** All experiments at the standard preset have some 1,200 ratios, which are to take 10 s of one core. */
const millisecondsARatio = 10_000 / 1200;

test("the ratios of a report take no longer than ten seconds for all experiments", () => {
  const [time] = ratioTimes([compute]);
  expect(time).toMatchObject({ experiment: "compute", ratios: 286 });
  // Three times as long is allowed: other tests share the core's caches and its clock rate.
  expect((time?.cpuMs ?? Number.NaN) / 286).toBeLessThan(3 * millisecondsARatio);
});
