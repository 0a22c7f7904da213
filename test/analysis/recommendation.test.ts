import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalAt } from "../../lib/analysis/billed-cost.ts";
import type { Recommendation } from "../../lib/analysis/recommendation.ts";
import { defaultTraffic, type Traffic } from "../../lib/analysis/report-subject.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { fixtureInputs, fixturePlan, fixtureSamples } from "../report/support/fixture.ts";
import { htmlWithoutPictures } from "../report/support/html-without-pictures.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";
import { average, averageBilledMs, billedOf, kept } from "../report/support/own-arithmetic.ts";

const choice = {
  target: "local",
  variants: ["rust", "python"],
  memoryMb: [128, 512, 1769],
  cold: 8,
  warm: 48,
  operations: ["get"],
} as const;
const all = [...fixtureSamples(fixturePlan(choice))];
/** Where an A/A pair is two deployments, whose difference is a floor. */
const deployed = { ...choice, target: "aws" } as const;
const allDeployed = [...fixtureSamples(fixturePlan(deployed))];

/** Every bill of a phase as `billed` says. */
function billedAs(
  billed: (sample: Sample) => number | undefined,
  samples: readonly Sample[] = all,
): Sample[] {
  return samples.map((sample) => {
    const billedDurationMs = billed(sample) ?? sample.telemetry?.billedDurationMs ?? 0;
    const durationMs = sample.telemetry?.durationMs ?? 0;
    return { ...sample, telemetry: { ...sample.telemetry, durationMs, billedDurationMs } };
  });
}

async function rendered(
  samples: readonly Sample[],
  traffic: Traffic = defaultTraffic,
  of: typeof choice | typeof deployed = choice,
) {
  const report = await renderReport({ ...fixtureInputs(of, { samples }), traffic });
  const { recommendation } = JSON.parse(report.files["summary.json"] ?? "");
  const markdown = report.files["report-full.md"] ?? "";
  return { ...report, markdown, recommendation: recommendation as Recommendation };
}

const report = await rendered(all);
const of = (variant: string, found = report) =>
  found.recommendation.variants.find((each) => each.variant === variant);

/** USD a million of each block's own cold and warm calls, without the code under test. */
function costs(cellId: string, memoryMb: number, share: number): readonly number[] {
  const usd = (ms: number) => (memoryMb / 1024) * (ms / 1000) * 13.3334 + 0.2;
  const cold = new Map(kept(all, cellId, "cold", "get").map((sample) => [sample.block, sample]));
  const warm = kept(all, cellId, "warm", "get");
  return [...new Set(warm.map(({ block }) => block))].map((block) => {
    const own = average(warm.filter((sample) => sample.block === block).map(billedOf));
    return share * usd(billedOf(cold.get(block) as Sample)) + (1 - share) * usd(own);
  });
}

describe("which size to take", () => {
  it("names the fastest alone where every other one is decided to be slower", () => {
    expect(of("rust")?.fastest).toMatchObject({ kind: "decided", cell: { memoryMb: 1769 } });
    const row = rowWith(tableRows(report.markdown, "Which size to take"), {
      Variant: "Python (boto3)",
    });
    expect(row).toMatchObject({ Operation: "`get`", Fastest: "1,769 MB" });
  });

  it("holds two sizes against the noise floor of one of them, and of no other", async () => {
    const apart = (factor: number) =>
      allDeployed.map((sample) => {
        const { telemetry, cell } = sample;
        if (cell.replicaOf === undefined || telemetry === undefined) return sample;
        return {
          ...sample,
          telemetry: { ...telemetry, durationMs: telemetry.durationMs * factor },
        };
      });
    // The pair is of 128 MB: however far it is apart, 512 and 1769 MB are told apart as before.
    const found = await rendered(apart(1000), defaultTraffic, deployed);
    const { fastest } = of("python", found) ?? {};
    expect(fastest?.kind).not.toBe("no-choice");
    const against = fastest?.kind === "no-choice" ? [] : (fastest?.against ?? []);
    const verdicts = against.map(({ cell, verdict }) => [cell.memoryMb, verdict]);
    expect(verdicts).toContainEqual([512, "faster"]);
    expect(verdicts).toContainEqual([128, "undecided"]);
  });

  it("takes the cheapest at the cold share, each environment's own calls mixed", () => {
    const [cheapest] = [128, 512, 1769].toSorted(
      (a, b) =>
        average(costs(`rust-arm64-${a}`, a, 0.01)) - average(costs(`rust-arm64-${b}`, b, 0.01)),
    );
    const best = of("rust")?.cheapest;
    if (best === undefined || best.kind === "no-choice") throw new Error("there is a choice");
    const found = best.kind === "decided" ? best.cell : best.among[0];
    expect(found?.memoryMb).toBe(cheapest);
    const own = average(costs(`rust-arm64-${cheapest}`, cheapest ?? 0, 0.01));
    for (const { cell, ratio } of best.against) {
      expect(ratio).toBeCloseTo(own / average(costs(cell.id, cell.memoryMb, 0.01)), 9);
    }
  });

  it("takes the cheapest by the mean where a median would turn the order round", async () => {
    // One call of each environment at 128 MB takes ten times as long. By the median 128 MB bills 50 MB s
    // and 512 MB 100; by the mean of five calls 128 MB bills (4 x 400 + 4000) / 5 x 0.125 = 140.
    const rare = (sample: Sample) => sample.phase === "warm" && sample.sequence % 5 === 0;
    const ms = (sample: Sample) => {
      if (sample.cell.memoryMb !== 128) return 200;
      return rare(sample) ? 4000 : 400;
    };
    const samples = billedAs(ms).filter(
      (sample) => sample.rejected === undefined && sample.cell.replicaOf === undefined,
    );
    const calls = samples.filter(
      ({ cell, operation, phase }) =>
        `${cell.id} ${operation} ${phase}` === "rust-arm64-128 get warm",
    );
    const found = await rendered(samples);
    const { cheapest, sizes } = of("rust", found) ?? {};
    expect(cheapest).toMatchObject({ kind: "decided", cell: { memoryMb: 512 } });
    const usd = (billedMs: number, memoryMb: number) =>
      (memoryMb / 1024) * (billedMs / 1000) * 13.3334 + 0.2;
    const small = 0.01 * usd(400, 128) + 0.99 * usd(averageBilledMs(calls), 128);
    expect(sizes?.[0]?.usdPerMillion).toBeCloseTo(small, 9);
    expect(usd(400, 128)).toBeLessThan(usd(200, 512));
    const saving = sizes?.[0]?.ofCheapest;
    expect(saving?.ratio).toBeCloseTo(usd(200, 512) / small, 9);
    const { low = 1, high = 0 } = saving ?? {};
    expect(low).toBeLessThanOrEqual(usd(200, 512) / small);
    expect(high).toBeGreaterThanOrEqual(usd(200, 512) / small);
  });

  it("holds a cost against the A/A pair's cost, and a Duration against its Duration", async () => {
    const replicaAs = (change: (telemetry: NonNullable<Sample["telemetry"]>) => object) =>
      billedAs(({ cell }) => 20_000 / Math.sqrt(cell.memoryMb), allDeployed).map((sample) => {
        const { telemetry, cell } = sample;
        if (cell.replicaOf === undefined || telemetry === undefined) return sample;
        return { ...sample, telemetry: { ...telemetry, ...change(telemetry) } };
      });
    // The pair is of 128 MB and of this variant; 128 MB is the cheapest, and 1769 MB the fastest.
    const slower = replicaAs(({ durationMs }) => ({ durationMs: durationMs * 1000 }));
    const slow = of("python", await rendered(slower, defaultTraffic, deployed));
    const dearer = replicaAs(({ billedDurationMs = 0 }) => ({
      billedDurationMs: billedDurationMs * 1000,
    }));
    const dear = of("python", await rendered(dearer, defaultTraffic, deployed));
    expect(slow?.cheapest).toMatchObject({ kind: "decided", cell: { memoryMb: 128 } });
    expect(slow?.fastest.kind).toBe("undecided");
    expect(dear?.cheapest).toMatchObject({
      kind: "undecided",
      among: [{ memoryMb: 128 }, { memoryMb: 512 }, { memoryMb: 1769 }],
    });
    expect(dear?.fastest).toMatchObject({ kind: "decided", cell: { memoryMb: 1769 } });
  });

  it("is undecided where the intervals do not tell sizes apart, and names all of them", async () => {
    const same = billedAs(({ cell, block }) => ((block % 2 === 0 ? 1.2 : 1) * 1e6) / cell.memoryMb);
    const best = of("python", await rendered(same))?.cheapest;
    expect(best).toMatchObject({ kind: "undecided" });
    expect(best?.kind === "undecided" && best.among).toHaveLength(3);
  });

  it("is balanced by the least product of cost and Duration", async () => {
    // Twice the memory at nine tenths of the time: dearer by 1.8, slower by nobody's measure.
    const flat = billedAs(() => 100);
    const durations = flat.map((sample) => ({
      ...sample,
      telemetry: { ...sample.telemetry, durationMs: sample.cell.memoryMb === 128 ? 100 : 90 },
    })) as Sample[];
    const found = of("rust", await rendered(durations));
    expect(found?.balanced).toMatchObject({ kind: "decided", cell: { memoryMb: 128 } });
    expect(found?.fastest).toMatchObject({ kind: "undecided" });
  });

  it("is told on the terminal: what to take, for how much, and what the others would cost", () => {
    const line =
      /Take Rust at 128 MB: \$0\.\d\d per million \(fee \$0\.20\) at 1% cold, [\d.]+ ms warm\. Python costs 1\.\d\d× as much\./;
    expect(report.headline.replaceAll(/\s+/g, " ")).toMatch(line);
    expect(report.files["report-full.md"]).toMatch(
      /Rust is fastest at 1,769 MB, .*\$0\.\d\d.* per million calls\./,
    );
  });

  it("is in the HTML too", () => {
    expect(htmlWithoutPictures(report)).toContain("Which size to take");
  });
});

describe("what a size costs", () => {
  it("is by the month what a million is by the invocations, and says for how many", async () => {
    const traffic = { coldShare: 0.05, invocationsPerMonth: 30_000_000 };
    const found = await rendered(all, traffic);
    for (const { usdPerMillion = 0, usdPerMonth } of of("rust", found)?.sizes ?? []) {
      expect(usdPerMonth).toBeCloseTo(usdPerMillion * 30, 9);
    }
    expect(found.markdown).toContain("\\$ per month, 30,000,000 calls");
    expect(found.markdown).toContain("Cost of each size at 5% cold");
    expect(found.markdown).toContain("`get` at 5% cold");
  });

  it("rises with the cold share where cold calls are billed for longer", async () => {
    const more = await rendered(all, { ...defaultTraffic, coldShare: 0.5 });
    const [few, many] = [report, more].map(
      (found) => of("python", found)?.sizes[0]?.usdPerMillion ?? Number.NaN,
    );
    expect(many).toBeGreaterThan(few ?? Number.NaN);
  });

  it("states the saving with its interval, and no verdict of the cheapest against itself", () => {
    const rows = tableRows(report.markdown, "Cost of each size at 1% cold").filter(
      ({ Variant }) => Variant === "Python (boto3)",
    );
    expect(rows).toHaveLength(3);
    expect(rows.filter(({ Verdict }) => Verdict === "lowest mean")).toHaveLength(1);
    for (const { Verdict, ...row } of rows) {
      if (Verdict !== "lowest mean") {
        const saves = /^(-?[\d.]+)% \\\[(-?[\d.]+)%, (-?[\d.]+)%\\\]$/.exec(
          row["Cheapest saves"] ?? "",
        );
        const [middle = 0, least = 0, most = 0] = (saves ?? []).slice(1).map(Number);
        expect(least).toBeLessThan(most);
        expect(middle).toBeGreaterThanOrEqual(least);
        expect(middle).toBeLessThanOrEqual(most);
      }
    }
  });

  it("has an interval of its own around it", () => {
    for (const { usdPerMillion = 0, usdInterval } of of("python")?.sizes ?? []) {
      expect(usdInterval?.low).toBeLessThan(usdPerMillion);
      expect(usdInterval?.high).toBeGreaterThan(usdPerMillion);
    }
  });

  it("has no interval below 6 environments", async () => {
    const few = await renderReport(fixtureInputs({ ...choice, cold: 5, warm: 30 }));
    const { recommendation } = JSON.parse(few.files["summary.json"] ?? "");
    const [first] = (recommendation as Recommendation).variants;
    expect(first?.sizes[0]).toHaveProperty("usdPerMillion");
    expect(first?.sizes[0]).not.toHaveProperty("usdInterval");
    expect(first?.cheapest.kind).toBe("undecided");
    const { breakEvens } = recommendation as Recommendation;
    for (const equal of breakEvens) expect(equal).not.toHaveProperty("coldShareInterval");
  });

  it("is absent without a price, and so is the cheapest size", async () => {
    const manifest = { prices: { date: "2026-01-01", region: "nowhere-1" } };
    const inputs = fixtureInputs(choice, { samples: all, manifest });
    const { files } = await renderReport(inputs);
    const { recommendation } = JSON.parse(files["summary.json"] ?? "");
    const [first] = (recommendation as Recommendation).variants;
    expect(first?.cheapest).toEqual({ kind: "no-choice" });
    expect(first?.fastest.kind).toBe("decided");
    expect(first?.sizes[0]).not.toHaveProperty("usdPerMillion");
  });
});

describe("the break-even cold share", () => {
  it("is where both costs are equal, and there alone", () => {
    const usd = fc.double({ min: 0.2, max: 100, noNaN: true });
    fc.assert(
      fc.property(usd, usd, usd, usd, (warmA, coldA, warmB, coldB) => {
        const share = equalAt(warmA - warmB, coldA - coldB);
        const less = (at: number) => (1 - at) * (warmA - warmB) + at * (coldA - coldB);
        if (share === undefined) expect(less(0) * less(1)).toBeGreaterThanOrEqual(0);
        else expect(less(share)).toBeCloseTo(0, 9);
      }),
    );
  });

  it("is absent where one is the cheaper at every share, and where both always cost the same", () => {
    expect(equalAt(-1, -2)).toBeUndefined();
    expect(equalAt(1, 1)).toBeUndefined();
    expect(equalAt(0, 0)).toBeUndefined();
    expect(equalAt(-1, 3)).toBe(0.25);
  });

  it("is told of every variant against the baseline of its size", async () => {
    const bills = { cold: { rust: 400, python: 100 }, warm: { rust: 1, python: 4 } } as const;
    const billed = ({ cell, phase }: Sample) =>
      phase === "second" ? undefined : bills[phase][cell.variant as "rust" | "python"];
    const { markdown } = await rendered(billedAs(billed));
    const rows = tableRows(markdown, "Break-even with ");
    expect(rows).toHaveLength(3);
    expect(rows[0]?.["Equal at cold share"]).toBe("0.99% \\[0.99%, 0.99%\\]");
    expect(new Set([rows[0]?.["Cheaper, all warm"], rows[0]?.["Cheaper, all cold"]]).size).toBe(2);
  });
});

describe("the interval of the break-even", () => {
  const bills = { cold: { rust: 400, python: 100 }, warm: { rust: 10, python: 40 } } as const;
  const equalOf = async (samples: readonly Sample[]) => {
    const { recommendation } = await rendered(samples);
    return recommendation.breakEvens[0];
  };

  it("lies around the share, and is wider where bills spread more", async () => {
    const spread = (share: number) =>
      billedAs(({ cell, phase, block }) =>
        phase === "second"
          ? undefined
          : bills[phase][cell.variant as "rust" | "python"] * (1 + share * ((block % 4) - 1.5)),
      );
    const [little, much] = [await equalOf(spread(0.02)), await equalOf(spread(0.1))];
    // 30 (1 - s) = 300 s.
    expect(little?.coldShare).toBeCloseTo(1 / 11, 9);
    // Both variants' bills rise in the same blocks: what the share is made of rises alike.
    expect(little?.coldShareInterval?.low).toBeCloseTo(1 / 11, 2);
    expect(much?.coldShareInterval?.low).toBeLessThan(1 / 11);
    expect(much?.coldShareInterval?.high).toBeGreaterThan(1 / 11);
  });

  it("is absent where the run does not tell which variant gains by more cold starts", async () => {
    const alike = billedAs(({ cell, phase, block }) => {
      const up = (block + (cell.variant === "rust" ? 0 : 1)) % 2;
      return phase === "cold" ? 100 + 40 * up : 20 + 8 * up;
    });
    expect(await equalOf(alike)).not.toHaveProperty("coldShareInterval");
  });
});

it("a run without warm calls recommends nothing: no size was measured at work", async () => {
  const { files } = await renderReport(fixtureInputs({ ...choice, warm: 0 }));
  expect(files["report-full.md"]).not.toContain("Which size to take");
  expect(JSON.parse(files["summary.json"] ?? "")).not.toHaveProperty("recommendation");
});
