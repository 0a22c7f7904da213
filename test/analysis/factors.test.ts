import { describe, expect, it } from "vitest";
import { exitCodes, gateExitCode } from "../../bin/exit-codes.ts";
import { gatedComparisons, gateFinding } from "../../lib/analysis/gate.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Cell, FunctionsFile, Plan, Sample } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { factorsNotHere } from "../../lib/functions/one-factor.ts";
import {
  type FixtureChoice,
  fixtureInputs,
  fixturePlan,
  fixtureSamples,
} from "../report/support/fixture.ts";
import { timedSample, wobble } from "../report/support/timed-sample.ts";

const both = {
  ...{ target: "aws", memoryMb: [1024], operations: ["get"], variants: ["rust"] },
  ...{ architectures: ["arm64", "x86_64"], cold: 12, warm: 240, replica: false },
} as const satisfies FixtureChoice;

/** $10 and $8 per million GB-seconds and $0.20 per million requests: easy to reckon with. */
const prices: PriceTable = {
  date: "2026-11-01",
  source: "made up",
  regions: {
    "us-east-1": {
      lambda: {
        x86_64: { gbSecondUsd: 10e-6 },
        arm64: { gbSecondUsd: 8e-6 },
        requestUsd: 0.2e-6,
      },
    },
  },
} as unknown as PriceTable;

/** Mean times of a cell, ms; a cold start is 300 ms of Init and 100 ms of Duration by default. */
interface Times {
  readonly warmMs: number;
  readonly firstMs?: number;
}

interface Asked {
  readonly choice?: FixtureChoice;
  readonly plan?: Partial<Plan>;
  readonly width?: number;
  readonly more?: (sample: Sample) => Sample;
}

async function reported(timesOf: (cell: Cell) => Times, asked: Asked = {}) {
  const { choice = both, width = 0.02, more = (sample) => sample } = asked;
  const samples = [...fixtureSamples(fixturePlan(choice))].map((sample) => {
    const { warmMs, firstMs = 100 } = timesOf(sample.cell);
    const factor = wobble(sample, width);
    const durationMs = (sample.phase === "cold" ? firstMs : warmMs) * factor;
    return more(timedSample(sample, { durationMs, initDurationMs: 300 * factor }));
  });
  const inputs = fixtureInputs(choice, { samples, ...(asked.plan && { plan: asked.plan }) });
  const { files, headline, comment = "" } = await renderReport({ ...inputs, prices });
  const view = JSON.parse(files["summary.json"] as string) as Summary;
  return {
    ...{ view, comment },
    factors: view.factors ?? [],
    screen: headline.replaceAll(/\s+/g, " "),
    page: files["report-full.md"] as string,
  };
}

/** Three variants on one architecture, of which one is declared to differ from another. */
const declared = (baseline: string, variant: string) => ({
  choice: {
    ...both,
    architectures: ["arm64"],
    variants: ["rust", "rust-tuned", "python"],
  } as const,
  plan: { factors: [{ factor: "environment variable LOG_LEVEL", baseline, variant }] },
});

const isArm = ({ architecture }: Cell) => architecture === "arm64";

describe("a plan of both architectures", () => {
  it("has a trial of each in every block, in an order drawn by the seed", () => {
    const { blocks } = fixturePlan(both);
    const orders = blocks.map(({ trials }) => trials.map(({ cellId }) => cellId));
    for (const order of orders) {
      expect([...order].sort()).toEqual(["rust-arm64-1024", "rust-x86-64-1024"]);
    }
    expect(new Set(orders.map(([first]) => first)).size).toBe(2);
  });

  it("compares arm64 with x86_64 of the same variant and size, by time and by cost", async () => {
    const { factors, screen } = await reported(() => ({ warmMs: 100 }));
    const [pair, ...others] = factors;
    expect(others).toEqual([]);
    expect(pair).toMatchObject({
      factor: "architecture",
      cell: { id: "rust-arm64-1024" },
      baselineCell: { id: "rust-x86-64-1024" },
    });
    expect(pair?.times.map(({ phase, quantity }) => [phase, quantity])).toEqual([
      ["cold", "initAndDurationMs"],
      ["second", "durationMs"],
      ["warm", "durationMs"],
    ]);
    expect(new Set(pair?.times.map(({ verdict }) => verdict))).toEqual(new Set(["equivalent"]));
    expect(screen).toMatch(
      /arm64 against x86_64: arm64 costs 0\.8\d \[0\.\d\d, 0\.\d\d\] of x86_64 and takes as long\./,
    );
  });

  it("has a ratio of costs that is exact by hand", async () => {
    // Bills without spread: 100 ms warm, 400 ms cold, both exact.
    const { factors } = await reported(() => ({ warmMs: 100 }), { width: 0 });
    const perMillion = (gbSecond: number) =>
      0.99 * (0.2 + gbSecond * 0.1) + 0.01 * (0.2 + gbSecond * 0.4);
    const [cost] = factors[0]?.costs ?? [];
    expect(cost?.operation).toBe("get");
    expect(cost?.ratio).toBeCloseTo(perMillion(8) / perMillion(10), 12);
    expect(cost?.low).toBeCloseTo(cost?.ratio ?? 0, 12);
    expect(cost?.high).toBeCloseTo(cost?.ratio ?? 0, 12);
  });

  it("costs the same where arm64 takes longer by what it is cheaper, and its times are slower", async () => {
    const { factors, screen } = await reported((cell) => ({
      warmMs: isArm(cell) ? 1250 : 1000,
      firstMs: isArm(cell) ? 1250 : 1000,
    }));
    const [pair] = factors;
    expect(pair?.costs[0]?.verdict).toBe("equivalent");
    expect(pair?.costs[0]?.ratio).toBeGreaterThan(0.99);
    expect(pair?.costs[0]?.ratio).toBeLessThan(1.01);
    const warm = pair?.times.find(({ phase }) => phase === "warm");
    expect(warm).toMatchObject({ verdict: "slower" });
    expect(warm?.adjustedPValue).toBeLessThan(0.05);
    expect(screen).toContain("arm64 costs the same as x86_64 within 5%");
    expect(screen).toMatch(/takes 1\.\d\d( to 1\.\d\d)? \[1\.\d\d, 1\.\d\d\] times as long/);
  });

  it("takes the interval of a cost from the bills, and not from the times", async () => {
    // Every call takes a tenth of a ms and is billed as one ms: the times differ threefold and the bills do not.
    const { factors } = await reported((cell) => ({ warmMs: isArm(cell) ? 0.3 : 0.1 }));
    const [pair] = factors;
    expect(pair?.times.find(({ phase }) => phase === "warm")?.ratio).toBeGreaterThan(2.9);
    expect(pair?.costs[0]?.high).toBeLessThan(1);
  });

  it("says what is undecided, and that five environments are too few", async () => {
    const choice = { ...both, cold: 5, warm: 100 };
    const { factors, screen } = await reported(() => ({ warmMs: 100 }), { choice });
    expect(factors[0]?.costs[0]).toMatchObject({ verdict: "undecided", environmentsNeeded: 6 });
    expect(screen).toContain(
      "Whether arm64 costs more or less than x86_64 is undecided: too few environments.",
    );
    expect(screen).not.toMatch(/takes as long|costs 0/);
  });

  it("compares every variant and size, and names the variants", async () => {
    const choice = { ...both, variants: ["rust", "python"], memoryMb: [512, 1024] };
    const { factors, screen, page } = await reported(() => ({ warmMs: 100 }), { choice });
    expect(factors.map(({ cell }) => cell.id).sort()).toEqual([
      ...["python-arm64-1024", "python-arm64-512", "rust-arm64-1024", "rust-arm64-512"],
    ]);
    expect(screen).toMatch(
      /Rust \(default build\): arm64 costs 0\.8\d( to 0\.8\d)? \[[\d., ]+\] of x86_64 and takes as long\. Python \(boto3\): arm64 /,
    );
    expect(page).toContain("## One factor at a time");
    expect(page).toContain("at the price of its own architecture");
  });

  it("is not compared by processor: the two never have a CPU model in common", async () => {
    const { factors } = await reported(() => ({ warmMs: 100 }), {
      more: (sample) => ({
        ...sample,
        result: {
          ...(sample.result as object),
          cpuModel: isArm(sample.cell) ? "Neoverse-N1" : "Xeon",
        },
      }),
    });
    expect(factors[0]?.times.map(({ verdict }) => verdict)).toEqual(
      new Array(3).fill("equivalent"),
    );
  });

  it("is corrected in one family with the variants, whose verdicts stand beside it", async () => {
    const choice = { ...both, variants: ["rust", "python"] };
    const { view } = await reported((cell) => ({ warmMs: cell.variant === "python" ? 200 : 100 }), {
      choice,
    });
    const warm = view.comparisons.variants.filter(
      ({ phase, quantity }) => phase === "warm" && quantity === "durationMs",
    );
    expect(warm.map(({ verdict }) => verdict)).toEqual(["slower", "slower"]);
    expect(view.comparisons.factors?.length).toBe(6);
    for (const each of view.comparisons.factors ?? []) {
      expect(each.adjustedPValue).toBeTypeOf("number");
    }
  });

  it("holds the A/A floor of its size against the difference", async () => {
    // The second deployment of the same code takes 1.4 times as long, and x86_64 1.2 times.
    const choice = { ...both, replica: true };
    const { factors } = await reported(
      (cell) => ({ warmMs: cell.replicaOf === undefined ? (isArm(cell) ? 100 : 120) : 140 }),
      { choice },
    );
    const warm = factors[0]?.times.find(({ phase }) => phase === "warm");
    expect(warm).toMatchObject({ verdict: "undecided", undecidedReason: "inside-noise-floor" });
  });
});

it("a run of one architecture, and an import have no comparison of architectures, and say nothing of one", async () => {
  const choice = { ...both, architectures: ["arm64"] } as const;
  const { view, page } = await reported(() => ({ warmMs: 100 }), { choice });
  expect(view).not.toHaveProperty("factors");
  expect(view.comparisons).not.toHaveProperty("factors");
  expect(page).not.toContain("One factor at a time");
  const imported = await reported(() => ({ warmMs: 100 }), { plan: { target: "imported" } });
  expect(imported.view).not.toHaveProperty("factors");
});

describe("a declared factor", () => {
  it("compares the two variants at each size, also where neither is the run's baseline", async () => {
    const { factors, view, screen } = await reported(
      ({ variant }) => ({ warmMs: variant === "python" ? 50 : 100 }),
      declared("rust-tuned", "python"),
    );
    expect(factors).toHaveLength(1);
    expect(factors[0]).toMatchObject({
      factor: "environment variable LOG_LEVEL",
      cell: { variant: "python" },
      baselineCell: { variant: "rust-tuned" },
    });
    expect(factors[0]?.times.find(({ phase }) => phase === "warm")?.verdict).toBe("faster");
    expect(view.comparisons.factors).toHaveLength(3);
    expect(screen).toMatch(
      /One factor, environment variable LOG_LEVEL: Python \(boto3\) costs 0\.\d+ \[[\d., ]+\] of Rust \(tuned build\)/,
    );
  });

  it("costs the operations that both variants make", async () => {
    const { choice, plan } = declared("rust-tuned", "python");
    const { factors } = await reported(() => ({ warmMs: 100 }), {
      choice: { ...choice, operations: ["get", "put"] },
      plan: { ...plan, requests: { put: { variants: ["python"] } } },
    });
    expect(factors[0]?.costs.map(({ operation }) => operation)).toEqual(["get"]);
  });

  it("is the comparison with the baseline itself where that is what it declares", async () => {
    const { factors, view } = await reported(() => ({ warmMs: 100 }), declared("rust", "python"));
    expect(view.comparisons.factors).toBeUndefined();
    const known = view.comparisons.variants.filter(
      ({ cell, descriptive }) => cell.variant === "python" && descriptive === undefined,
    );
    expect(factors[0]?.times).toEqual(known);
    expect(known).toHaveLength(3);
  });
});

describe("a gate", () => {
  const finding = ({ comparisons, manifest, margin }: Summary) =>
    gateFinding({ comparisons: gatedComparisons(comparisons), margin, manifests: [manifest] });

  it("fails one function that is slower on arm64 than on x86_64, which is the base", async () => {
    const { view, comment } = await reported((cell) => ({ warmMs: isArm(cell) ? 150 : 100 }));
    expect(gateExitCode(finding(view))).toBe(exitCodes.slower);
    expect(comment).toMatch(
      /^### 2 slower, 1 the same of 3 comparisons\. .* arm64 is slower than x86_64 .*: 1\.5/,
    );
    expect(comment).toContain("`Rust (default build) at 1,024 MB arm64 against x86_64`");
    const faster = await reported((cell) => ({ warmMs: isArm(cell) ? 100 : 150 }));
    expect(gateExitCode(finding(faster.view))).toBe(exitCodes.complete);
    expect(gateExitCode(finding(faster.view), "not-proven")).toBe(exitCodes.complete);
  });

  it("does not hold the architectures against each other beside two functions", async () => {
    const choice = { ...both, variants: ["rust", "python"] };
    const { view, comment } = await reported((cell) => ({ warmMs: isArm(cell) ? 150 : 100 }), {
      choice,
    });
    const architectures = view.factors?.flatMap(({ times }) => times) ?? [];
    expect(architectures.filter(({ verdict }) => verdict === "slower")).toHaveLength(4);
    expect(finding(view)).toMatchObject({ comparisons: 6, slower: [] });
    expect(gateExitCode(finding(view))).toBe(exitCodes.complete);
    expect(comment).not.toContain("against x86_64");
  });

  it("fails a function that is slower than the one it differs from, though faster than the first", async () => {
    const times: Readonly<Record<string, number>> = { rust: 200, "rust-tuned": 100, python: 150 };
    const { view, comment } = await reported(
      ({ variant }) => ({ warmMs: times[variant] ?? Number.NaN }),
      declared("rust-tuned", "python"),
    );
    const found = finding(view);
    expect(found.comparisons).toBe(9);
    expect(found.slower.map(({ phase }) => phase)).toEqual(["second", "warm"]);
    expect(gateExitCode(found)).toBe(exitCodes.slower);
    expect(comment).toMatch(
      /^### 2 slower, 4 faster, 3 the same of 9 comparisons\. Python .* is slower than Rust \(tuned build\) .*: 1\.[45]/,
    );
    expect(comment).toContain("`Python (boto3) at 1,024 MB arm64 against Rust (tuned build)`");
  });

  it("proves nothing of a declared factor that is undecided", async () => {
    const few = declared("rust-tuned", "python");
    const { view } = await reported(() => ({ warmMs: 100 }), { ...few, width: 0.3 });
    expect(gateExitCode(finding(view), "not-proven")).toBe(exitCodes.notProven);
  });
});

describe("on one machine", () => {
  const file: FunctionsFile = {
    schemaVersion: 1,
    functions: [
      { name: "base", artefact: "f.zip" },
      {
        ...{ name: "larger", artefact: "f.zip", differsFrom: "base" },
        aws: { ephemeralStorageMb: 2048 },
      },
    ],
    architectures: ["arm64", "x86_64"],
    events: [{ name: "invoke", payload: {} }],
  };

  it("what only AWS has two of is left out, each with its reason", () => {
    expect(factorsNotHere(file, "x86_64")).toEqual([
      "arm64 against x86_64: this machine is x86_64 and measures that alone; kelvin deploy --functions measures both on AWS",
      "larger against base by aws.ephemeralStorageMb, which applies only on AWS",
    ]);
    const { architectures: _, ...alone } = file;
    const [base] = file.functions;
    const functions = base === undefined ? [] : [base];
    expect(factorsNotHere({ ...alone, functions }, "x86_64")).toEqual([]);
  });
});
