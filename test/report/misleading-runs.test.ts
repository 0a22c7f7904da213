import { describe, expect, it } from "vitest";
import { gateFinding } from "../../lib/analysis/gate.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import type { FixtureChoice } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { timedSample, wobble } from "./support/timed-sample.ts";

// Runs whose first screen once led to the wrong choice.

type Shape = (sample: Sample) => Parameters<typeof timedSample>[1];

async function reportOf(choice: FixtureChoice, shape: Shape) {
  const each = (sample: Sample) => timedSample(sample, shape(sample));
  const report = await fixtureReport(choice, { each });
  const { view } = report;
  return {
    ...report,
    full: report.markdown.replaceAll("\\", ""),
    gate: gateFinding({
      ...{ comparisons: view.comparisons.variants, margin: view.margin },
      manifests: [view.manifest],
    }).slower,
    warm: view.comparisons.variants.find(
      ({ phase, quantity }) => phase === "warm" && quantity === "durationMs",
    ),
  };
}

describe("a starter whose Init is long and whose first Duration is short", () => {
  const startsMs = {
    rust: { 512: [7, 64], 1769: [7, 25] },
    "rust-tuned": { 512: [17.5, 3], 1769: [17.5, 3] },
    python: { 512: [209, 33], 1769: [209, 30] },
  } as const;
  const choice = {
    ...{ target: "local", memoryMb: [512, 1769], operations: ["get"] },
    ...{ variants: ["rust", "python"], replica: false },
  } as const satisfies FixtureChoice;
  const shape: Shape = (sample) => {
    const { variant, memoryMb } = sample.cell;
    const [init, first] = startsMs[variant as keyof typeof startsMs][memoryMb as 512 | 1769];
    const factor = wobble(sample, 0.02);
    const durationMs = sample.phase === "cold" ? first * factor : 5 * factor;
    return { durationMs, initDurationMs: init * factor };
  };

  it("is named the later one: on the screen, in the verdict, by the gate and in the comment", async () => {
    const { screen, full, gate, comment } = await reportOf(choice, shape);
    expect(full).toMatch(
      /Python is slower than Rust on a cold start: 7\.[45]\d× \[7\.\d\d, 7\.\d\d\] at 1,769 MB \(slower at both sizes\)\./,
    );
    expect(full).not.toMatch(/Python is (?:faster|the same) .* on a cold start/);
    expect(screen).not.toMatch(/Python: cold start [^;.]*faster/);
    expect(gate.map(({ quantity, cell }) => `${quantity} ${cell.memoryMb}`)).toEqual([
      "initAndDurationMs 512",
      "initAndDurationMs 1769",
    ]);
    expect(comment).toMatch(
      /2 slower, .* is slower than Rust \(default build\) on a cold start: 7\.\d\d× \[/,
    );
  });

  it("is compared by the sum where a build moves its work to Init", async () => {
    const tuned = { ...choice, variants: ["rust", "rust-tuned"], memoryMb: [512] } as const;
    const { screen, full } = await reportOf(tuned, shape);
    expect(full).toMatch(/Rust \(tuned build\) is faster than Rust on a cold start: 3\.[45]\d× \[/);
    expect(screen).not.toMatch(/\b21(?:\.\d+)?×/);
  });
});

describe("calls that wait for the next period of the CPU quota, one in ten against four in ten", () => {
  const choice = {
    ...{ target: "local", memoryMb: [128], operations: ["get"], warm: 1_000, cold: 10 },
    ...{ variants: ["rust", "python"], replica: false },
  } as const satisfies FixtureChoice;
  const shape: Shape = (sample) => {
    const isRust = sample.cell.variant === "rust";
    const share = isRust ? 1 : 4;
    const isWaiting = (sample.sequence * 7 + sample.block) % 10 < share;
    const factor = wobble(sample, 0.03);
    const durationMs = (isRust ? 2.7 : 3) * factor + (isWaiting ? 18.6 : 0);
    return { durationMs, initDurationMs: 100 * factor };
  };

  it("is said by the mean, with what a call typically takes and why", async () => {
    const { full, warm, gate } = await reportOf(choice, shape);
    expect(warm?.ratio).toBeCloseTo(2.3, 1);
    expect(warm?.medianRatio).toBeCloseTo(1.11, 1);
    expect(full).toMatch(
      /Python is slower than Rust on a warm call: 2\.[23]\d× \[[\d., ]+\] at 128 MB, 1\.1\d× by medians \(more of its calls wait for CPU\)\./,
    );
    expect(gate.map(({ phase }) => phase)).toContain("warm");
  });

  it("names no cause where most of the slower one's calls wait, or a retry makes them long", async () => {
    const others: readonly Shape[] = [
      (sample) => {
        const [ms, tenths] = sample.cell.variant === "rust" ? [2.7, 2] : [3, 9];
        const isWaiting = (sample.sequence * 7 + sample.block) % 10 < tenths;
        const factor = wobble(sample, 0.03);
        return { durationMs: ms * factor + (isWaiting ? 18.6 : 0), initDurationMs: 100 * factor };
      },
      (sample) => {
        const isRetry =
          sample.cell.variant === "python" && (sample.sequence + sample.block) % 10 < 3;
        const factor = wobble(sample, 0.03);
        return { durationMs: 24 * factor + (isRetry ? 100 : 0), initDurationMs: 100 * factor };
      },
    ];
    for (const other of others) {
      const { full } = await reportOf(choice, other);
      expect(full).toMatch(/× \[[\d., ]+\] at 128 MB, [\d.]+× by medians\./);
      expect(full).not.toContain("calls wait for CPU");
    }
  });

  it("costs what the same means say", async () => {
    const { screen, view } = await reportOf(choice, shape);
    const usd = (variant: string) =>
      view.cost.cells.find(({ cell }) => cell.variant === variant)?.warm[0]?.warmUsdPerMillion ?? 0;
    // Of a bill at 128 MB most is the fee of the request.
    expect(usd("python") / usd("rust")).toBeGreaterThan(1.03);
    expect(screen).toMatch(
      /\(fee \$0\.20\) .* Python at 128 MB \(\$0\.22\) costs the same within 5%\./,
    );
  });
});

describe("three calls in ten that are longer by 100 ms", () => {
  const choice = {
    ...{ target: "aws", memoryMb: [1769], operations: ["get"], warm: 1_000, cold: 10 },
    ...{ variants: ["rust", "python"], replica: false },
  } as const satisfies FixtureChoice;
  const shape: Shape = (sample) => {
    const isLong = sample.cell.variant === "python" && (sample.sequence + sample.block) % 10 < 3;
    const factor = wobble(sample, 0.05);
    return { durationMs: 24 * factor + (isLong ? 100 : 0), initDurationMs: 100 * factor };
  };

  it("are called, and no sentence says that nothing differs", async () => {
    const { screen, gate } = await reportOf(choice, shape);
    expect(screen).toMatch(
      /Python is slower than Rust on a warm call: 2\.2\d× \[[\d., ]+\] at 1,769 MB, 1\.0\d× by medians\./,
    );
    expect(screen).not.toMatch(/ is the same as | costs? the same /);
    expect(screen).toMatch(/Python costs 1\.[89]\d× as much/);
    expect(gate.map(({ phase }) => phase)).toContain("warm");
  });
});

describe("one call of ten seconds", () => {
  const choice = {
    ...{ target: "aws", memoryMb: [1769], operations: ["get"] },
    ...{ variants: ["rust", "python"], replica: false },
  } as const satisfies FixtureChoice;
  const shape: Shape = (sample) => {
    const isRetry = sample.cell.variant === "python" && sample.block === 4 && sample.sequence === 7;
    const factor = wobble(sample, 0.05);
    return { durationMs: 24 * factor + (isRetry ? 10_000 : 0), initDurationMs: 100 * factor };
  };

  it("decides nothing, and is named", async () => {
    const { screen, warm, gate } = await reportOf(choice, shape);
    expect(warm?.ratio).toBeGreaterThan(4);
    expect(warm).toMatchObject({ verdict: "undecided", undecidedReason: "few-calls" });
    expect(screen).toMatch(
      /1 of 63 warm calls of Python at 1,769 MB took (?:up to )?10,02\d ms: without that one, 1\.0\d×\./,
    );
    expect(screen).not.toMatch(/ is (?:slower than|faster than|the same as) Rust on a warm call/);
    expect(screen).not.toMatch(/Python costs \d/);
    expect(gate).toEqual([]);
  });
});

it("two functions that take the same are called the same by the titles of the charts too", async () => {
  const { screen, view, files } = await reportOf(
    {
      ...{ target: "aws", memoryMb: [512, 1769], operations: ["get"] },
      ...{ variants: ["rust", "python"], replica: false },
    },
    (sample) => ({ durationMs: 5 * wobble(sample, 0.02), initDurationMs: 50 }),
  );
  const primary = view.comparisons.variants.filter(({ descriptive }) => descriptive === undefined);
  expect(new Set(primary.map(({ verdict }) => verdict))).toEqual(new Set(["equivalent"]));
  for (const call of ["on a cold start", "on a warm call"]) {
    const same = `Python is the same as Rust ${call}: within 5% (the same at both sizes)`;
    expect(screen).toContain(`${same}.`);
    expect(files["report.html"]).toContain(`<strong>${same}.</strong>`);
  }
  expect(files["report.html"]).not.toContain("Cannot tell Python");
});

it("a local run states no error factor of other statistics and experiments", async () => {
  const { screen } = await reportOf(
    { target: "local", memoryMb: [128], operations: ["get"] },
    (sample) => ({ durationMs: 5 * wobble(sample, 0.02), initDurationMs: 50 }),
  );
  expect(screen).not.toMatch(/by a factor of/);
  expect(screen).toContain("simulated on one machine");
  expect(screen).toContain("On Lambda (90%) vs. Rust. ");
});
