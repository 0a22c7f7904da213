import { describe, expect, it } from "vitest";
import { exitCodes, gravestCode, limitExitCode } from "../../bin/exit-codes.ts";
import type { CollectedSamples } from "../../lib/analysis/collect-samples.ts";
import { limitChoices } from "../../lib/analysis/limit-choice.ts";
import { limitFinding, limitVerdicts } from "../../lib/analysis/limits.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import {
  type FixtureChoice,
  fixtureInputs,
  fixturePlan,
  fixtureSamples,
} from "../report/support/fixture.ts";
import { timedSample, wobble } from "../report/support/timed-sample.ts";

const choice = {
  ...{ target: "aws", memoryMb: [128, 512, 1769], operations: ["get"], variants: ["rust"] },
  ...{ replica: false },
} as const satisfies FixtureChoice;

/** Calls of 40, 10 and 9 ms and cold starts of 900, 400 and 390 ms, by memory size. */
function shaped(sample: Sample): Sample {
  const factor = wobble(sample, 0.05);
  const { memoryMb } = sample.cell;
  const [warm, cold] = memoryMb === 128 ? [40, 900] : memoryMb === 512 ? [10, 400] : [9, 390];
  const durationMs = (sample.phase === "cold" ? cold - 300 : warm) * factor;
  return timedSample(sample, { durationMs, initDurationMs: 300 });
}

async function judged(
  texts: readonly string[],
  more: FixtureChoice = {},
  keep = (_: Sample) => true,
) {
  const whole = { ...choice, ...more };
  const samples = [...fixtureSamples(fixturePlan(whole))].filter(keep).map(shaped);
  const plan = { limits: texts.map(parseLimit) };
  const {
    files,
    headline,
    comment = "",
  } = await renderReport(fixtureInputs(whole, { samples, plan }));
  const view = JSON.parse(files["summary.json"] as string) as Summary;
  const limits = view.limits ?? [];
  return {
    ...{ view, limits, comment, page: files["report-full.md"] as string },
    finding: limitFinding(limits),
    screen: headline.replaceAll(/\s+/g, " "),
    verdicts: limits.map(({ cell, verdict }) => `${cell.memoryMb} ${verdict}`),
  };
}

describe("a limit", () => {
  it("of a mean is met or missed where its whole interval lies on one side", async () => {
    const { verdicts, finding, screen, comment } = await judged(["warm.mean < 20 ms"]);
    expect(verdicts).toEqual(["128 missed", "512 met", "1769 met"]);
    expect(limitExitCode(finding)).toBe(exitCodes.limitMissed);
    expect(screen).toMatch(
      /Limits: 1 limit missed, 0 undecided of 3; missed: Rust \(default build\) at 128 MB, warm call mean < 20 ms \(get\): 40\.\d \(at least 39\.\d, at most 40\.\d\)\./,
    );
    expect(comment).toContain("1 limit missed, 0 undecided of 3");
  });

  it("of a P95 is undecided where there are too few environments, and says how many more it takes", async () => {
    const { verdicts, finding, page } = await judged(["cold.p95 < 800 ms"], { cold: 9 });
    expect(verdicts).toEqual(["128 missed", "512 undecided", "1769 undecided"]);
    expect(page).toContain("undecided: 50 more environments");
    expect(finding.undecided.map(({ environmentsNeeded }) => environmentsNeeded)).toEqual([59, 59]);
  });

  it("of a P95 is met by 60 environments, and its cheapest size is named", async () => {
    const { verdicts, screen, view, limits } = await judged(["cold.p95 < 800 ms"], { cold: 60 });
    expect(verdicts).toEqual(["128 missed", "512 met", "1769 met"]);
    expect(screen).toMatch(
      /Within the limits: the cheapest size of Rust \(default build\) is 512 MB \(\$\d/,
    );
    const [found] = view.recommendation ? limitChoices(limits, view.recommendation) : [];
    expect(found).toMatchObject({ open: [], chosen: { cell: { memoryMb: 512 } } });
  });

  it("names the cheaper sizes of which it is open whether they are within it", async () => {
    const { screen, verdicts } = await judged(["cold.p95 < 1000 ms"], { cold: 9 });
    expect(verdicts).toEqual(["128 undecided", "512 undecided", "1769 undecided"]);
    expect(screen).toContain(
      "no size of Rust (default build) for certain; 128, 512 or 1,769 MB may be.",
    );
  });

  it("of memory is missed where any environment reaches it, and of a package by its size", async () => {
    const { verdicts } = await judged(["memory < 128 MB", "memory < 24 MB", "package < 10 MB"]);
    expect(verdicts.slice(0, 3)).toEqual(["128 met", "512 met", "1769 met"]);
    expect(verdicts.slice(3, 6)).toEqual(["128 missed", "512 missed", "1769 missed"]);
    expect(verdicts.slice(6)).toEqual(["128 met", "512 met", "1769 met"]);
  });

  it.each([
    ["met", { zipBytes: 1024 ** 2 - 1, sizeBytes: 1024 ** 2 }],
    ["met", { sizeBytes: 1024 ** 2 - 1 }],
    ["missed", { zipBytes: 1024 ** 2 }],
    ["undecided", { sizeBytes: 1024 ** 2 }],
    ["not-measured", {}],
    ["not-measured", { zipBytes: 1, architecture: "x86_64" }],
  ] as const)(
    "of a package is %s by %j, as a zip may be smaller than its folder",
    (verdict, found) => {
      const plan = { ...fixturePlan(choice), limits: [parseLimit("package < 1 MB")] };
      const artefacts = [{ variant: "rust", architecture: "arm64" as const, ...found }];
      const verdicts = limitVerdicts(plan, { artefacts }, {} as CollectedSamples);
      expect(new Set(verdicts.map((each) => each.verdict))).toEqual(new Set([verdict]));
    },
  );

  it("is not met by what was not measured", async () => {
    const { verdicts, finding, screen } = await judged(
      ["warm.mean < 20 ms"],
      {},
      ({ phase, cell }) => phase !== "warm" || cell.memoryMb !== 512,
    );
    expect(verdicts).toEqual(["128 missed", "512 not-measured", "1769 met"]);
    expect(screen).toContain("1 limit missed, 0 undecided, 1 not measured of 3");
    expect(limitExitCode({ ...finding, missed: [] })).toBe(exitCodes.notCompared);
  });

  it("is met by no size where calls failed or were wrong, which is said, and is none within the limits", async () => {
    const wrong = (sample: Sample): Sample =>
      sample.cell.memoryMb === 512 && sample.phase === "warm" && sample.block === 3
        ? { ...sample, rejected: { reason: "result-wrong" } }
        : sample;
    const samples = [...fixtureSamples(fixturePlan(choice))].map(shaped).map(wrong);
    const limits = ["warm.mean < 20 ms", "package < 10 MB"].map(parseLimit);
    const { files, headline } = await renderReport(
      fixtureInputs(choice, { samples, plan: { limits } }),
    );
    const view = JSON.parse(files["summary.json"] as string) as Summary;
    const verdicts = view.limits?.map(({ cell, verdict }) => `${cell.memoryMb} ${verdict}`);
    expect(verdicts).toEqual([
      ...["128 missed", "512 not-measured", "1769 met", "128 met", "512 met", "1769 met"],
    ]);
    const finding = limitFinding(view.limits ?? []);
    expect(limitExitCode({ ...finding, missed: [] })).toBe(exitCodes.notCompared);
    const screen = headline.replaceAll(/\s+/g, " ");
    expect(screen).toContain("1 limit missed, 0 undecided, 1 not judged of 6");
    expect(screen).toMatch(
      /not judged, as \d+ calls failed, answered wrongly, did not report or had a failed Init: Rust/,
    );
    expect(screen).toContain("the cheapest size of Rust (default build) is 1,769 MB");
    expect(screen).toMatch(/at 512 MB is left out: \d+ calls answered wrongly/);
    expect(view.recommendation?.leftOut).toMatchObject([{ cell: { memoryMb: 512 } }]);
  });

  it("on cold starts is not met where the Init of one took too long, and a warm one is", async () => {
    const samples = [...fixtureSamples(fixturePlan(choice))].map(shaped).map((sample): Sample => {
      const isMet = sample.phase === "cold" && sample.block === 3;
      const failedInits = [{ status: "timeout" as const, durationMs: 10_000 }];
      return isMet ? { ...sample, failedInits, rejected: { reason: "init-repeated" } } : sample;
    });
    const limits = ["cold.mean < 5000 ms", "warm.mean < 5000 ms"].map(parseLimit);
    const { files } = await renderReport(fixtureInputs(choice, { samples, plan: { limits } }));
    const view = JSON.parse(files["summary.json"] as string) as Summary;
    const verdicts = view.limits?.map(({ limit, verdict }) => `${limit.quantity} ${verdict}`);
    expect([...new Set(verdicts)]).toEqual(["cold not-measured", "warm met"]);
  });

  it("that is undecided ends with 0, and with 6 where proof is asked for", async () => {
    const { finding } = await judged(["cold.p95 < 1000 ms"], { cold: 9 });
    expect(limitExitCode(finding)).toBe(exitCodes.complete);
    expect(limitExitCode(finding, "not-proven")).toBe(exitCodes.notProven);
  });

  it("is in no report that was not asked for it", async () => {
    const { files } = await renderReport(fixtureInputs(choice));
    expect(files["report-full.md"]).not.toContain("Limits that were given");
    expect(JSON.parse(files["summary.json"] as string)).not.toHaveProperty("limits");
  });
});

it("the exit code of several gates is that of what is slower, then of a missed limit, then of what could not be compared", () => {
  expect(gravestCode([0, 0])).toBe(0);
  expect(gravestCode([3, 0])).toBe(3);
  expect(gravestCode([3, 4, 6])).toBe(4);
  expect(gravestCode([0, 4, 7])).toBe(7);
  expect(gravestCode([7, 1, 4])).toBe(1);
});
