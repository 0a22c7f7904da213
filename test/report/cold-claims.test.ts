import { describe, expect, it } from "vitest";
import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import { experiments } from "../../lib/experiments/catalogue.ts";
import type { Experiment } from "../../lib/plan/experiment.ts";
import { firstRequestSamples } from "./support/first-request-fixture.ts";
import { type FixtureChoice, fixturePlan, fixtureSamples } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { timedSample, wobble } from "./support/timed-sample.ts";

// Runs in which a cold start and its parts say opposite things: all but the baseline answer the first request in a
// fifth of the time, and start three times later, Init included.

const samplesOf: Readonly<Record<string, (plan: Plan) => Iterable<Sample>>> = {
  "first-request": firstRequestSamples,
};

function opposed(baseline: string): (sample: Sample) => Sample {
  return (sample) => {
    if (sample.phase !== "cold") return sample;
    const isBaseline = sample.cell.variant === baseline;
    const factor = wobble(sample, 0.02);
    const [initDurationMs, durationMs] = isBaseline ? [20, 80] : [284, 16];
    return timedSample(sample, {
      initDurationMs: initDurationMs * factor,
      durationMs: durationMs * factor,
    });
  };
}

async function reportOf(experiment: Experiment, target: "local" | "aws") {
  const choice: FixtureChoice = {
    ...{ experiment, target, cold: 9, warm: 63 },
    memoryMb: experiment.quickMemoryMb ?? experiment.memoryMb,
  };
  const plan = fixturePlan(choice);
  const samples = (samplesOf[experiment.id] ?? fixtureSamples)(plan);
  const each = opposed(experiment.baselineVariant);
  const report = await fixtureReport(choice, { samples, each });
  return { ...report, said: target === "aws" ? report.screen : report.markdown };
}

const places = (["local", "aws"] as const).flatMap((target) =>
  experiments.map((experiment) => ({ id: experiment.id, target, experiment })),
);

describe("the first screen of every experiment", () => {
  it.each(places)("rests no cold start on a part of it: $id, $target", async (place) => {
    const { experiment, target } = place;
    const { screen, said, comment, view } = await reportOf(experiment, target);
    // What starts later is never said to start, or to answer its first request, sooner.
    expect(said).not.toMatch(/ is (?:faster than|the same as) [^:]* on a cold start:/);
    expect(screen).not.toMatch(/ on (?:its|the|a) first (?:request|call)\b/);
    const comparesSizes = ["multicore", "s3-fanout"].includes(experiment.id);
    if (!comparesSizes) expect(said).toMatch(/ is slower than [^:]* on a cold start: /);
    expect(comment).not.toMatch(/cold [\w-]+, (?:Duration|Init) \|/);
    const others = view.comparisons.variants.filter(({ phase }) => phase === "cold");
    for (const { descriptive, quantity, verdict } of others) {
      expect(descriptive === undefined).toBe(quantity === "initAndDurationMs");
      if (quantity === "initAndDurationMs") expect(verdict).toBe("slower");
      if (quantity === "durationMs") expect(verdict).toBe("faster");
    }
  });

  it.each(places)("draws a cold start as Init and first Duration: $id, $target", async (place) => {
    const { view } = await reportOf(place.experiment, place.target);
    for (const { phase, quantilesMs } of view.distributions) {
      if (phase === "cold") expect(quantilesMs.at(0)).toBeGreaterThan(90);
    }
    const points = view.costAndSpeed.flat().filter(({ phase }) => phase === "cold");
    for (const { time } of points) expect(time.mean).toBeGreaterThan(90);
  });
});
