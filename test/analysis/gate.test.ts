import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitCodes, gateExitCode } from "../../bin/exit-codes.ts";
import { gateFinding, slowdownNotExcluded } from "../../lib/analysis/gate.ts";
import { gateRemedy } from "../../lib/analysis/gate-remedy.ts";
import type { Compared } from "../../lib/analysis/series-ratio.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Manifest, Sample } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { remedyText } from "../../lib/report/gate-text.ts";
import "../support/property-seed.ts";
import {
  type FixtureChoice,
  fixtureInputs,
  fixturePlan,
  fixtureSamples,
} from "../report/support/fixture.ts";
import { timedSample, wobble } from "../report/support/timed-sample.ts";

const choice = {
  ...{ target: "local", memoryMb: [1769], operations: ["get"], cold: 9, warm: 90 },
  ...{ variants: ["rust", "python"], replica: false },
} as const satisfies FixtureChoice;

/** Two builds of one speed, whose samples are as the attack leaves them. */
async function gateOf(attack: (sample: Sample) => readonly Sample[], status?: "partial") {
  const samples = [...fixtureSamples(fixturePlan(choice))]
    .map((sample) =>
      timedSample(sample, { durationMs: 5 * wobble(sample, 0.02), initDurationMs: 50 }),
    )
    .flatMap(attack);
  const {
    files,
    headline,
    comment = "",
  } = await renderReport(
    fixtureInputs(choice, { samples, ...(status && { manifest: { status } }) }),
  );
  const view = JSON.parse(files["summary.json"] as string) as Summary;
  const { comparisons, manifest, margin } = view;
  const finding = gateFinding({ comparisons: comparisons.variants, margin, manifests: [manifest] });
  return { finding, comment, view, headline };
}

type Attack = (sample: Sample) => Sample | undefined;

const withTelemetry = (sample: Sample, durationMs: number): Sample => ({
  ...sample,
  telemetry: { ...sample.telemetry, durationMs, billedDurationMs: durationMs },
});

const attacks: Readonly<Record<string, Attack>> = {
  wrong: (sample) => ({ ...sample, rejected: { reason: "result-wrong" } }),
  failing: (sample) => ({
    ...sample,
    error: { type: "Error", message: "failed" },
    rejected: { reason: "error" },
  }),
  "without a report of its own": (sample) => {
    const { telemetry: _, ...rest } = sample;
    return { ...rest, rejected: { reason: "telemetry-missing" } };
  },
  missing: () => undefined,
  zero: (sample) => withTelemetry(sample, 0),
  "not a number": (sample) => withTelemetry(sample, Number.NaN),
  endless: (sample) => withTelemetry(sample, Number.POSITIVE_INFINITY),
};

describe("a gate, of a build as fast as the base", () => {
  it("passes it where all its calls count", async () => {
    const { finding } = await gateOf((sample) => [sample]);
    expect(finding).toMatchObject({ slower: [], lost: [], missingCalls: 0, unsound: [] });
    expect(gateExitCode(finding)).toBe(exitCodes.complete);
  });

  it.each(Object.keys(attacks))(
    "never passes it where all calls of a phase are %s",
    async (name) => {
      for (const phase of ["cold", "second", "warm"] as const) {
        const { finding, comment } = await gateOf((sample) => {
          const isMet = sample.cell.variant === "python" && sample.phase === phase;
          return isMet ? [attacks[name]?.(sample) ?? []].flat() : [sample];
        });
        expect(gateExitCode(finding)).toBe(exitCodes.notCompared);
        expect(comment).toMatch(/^### Not compared in full: /);
      }
    },
  );

  it("never passes it where any calls are wrong, failing or missing, whichever they are", async () => {
    const counted = ["wrong", "failing", "without a report of its own", "missing"] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...counted),
        fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 60 }),
        fc.constantFrom("rust", "python"),
        async (name, places, variant) => {
          let index = 0;
          let met = 0;
          const { finding } = await gateOf((sample) => {
            if (sample.cell.variant !== variant || sample.rejected !== undefined) return [sample];
            index += 1;
            if (!places.includes(index - 1)) return [sample];
            met += 1;
            return [attacks[name]?.(sample) ?? []].flat();
          });
          fc.pre(met > 0);
          expect(gateExitCode(finding)).not.toBe(exitCodes.complete);
        },
      ),
      { numRuns: 8 },
    );
  });

  it("never passes it where a run ended early, or most calls count for no phase", async () => {
    const partial = await gateOf((sample) => [sample], "partial");
    expect(gateExitCode(partial.finding)).toBe(exitCodes.notCompared);
    const { finding } = await gateOf((sample) =>
      sample.phase === "warm" && sample.sequence % 2 === 0 && sample.rejected === undefined
        ? [{ ...sample, rejected: { reason: "init-unexpected" } }]
        : [sample],
    );
    expect(finding.unsound.map(({ unsound }) => unsound?.kind)).toContain("rejected");
    expect(gateExitCode(finding)).toBe(exitCodes.notCompared);
  });
});

describe("an Init that was run again within the call", () => {
  const repeated = (status: "error" | "timeout") => (sample: Sample) => {
    const { initDurationMs, ...telemetry } = sample.telemetry ?? { durationMs: 1 };
    const isMet =
      sample.cell.variant === "python" && initDurationMs !== undefined && sample.block === 3;
    const rejected = { reason: "init-repeated" } as const;
    const failedInits = [{ status, durationMs: 10_000 }];
    return isMet ? [{ ...sample, telemetry, rejected, failedInits }] : [sample];
  };

  it("lets no gate pass where it had failed, which is said, however few calls had that", async () => {
    const { finding, comment, view } = await gateOf(repeated("error"));
    expect(finding.lost).toEqual([{ reason: "init-repeated", calls: 1 }]);
    expect(gateExitCode(finding)).toBe(exitCodes.notCompared);
    expect(comment).toContain("1 call ran Init again after it had failed");
    expect(view.quality.cells.find(({ lost }) => lost !== undefined)?.lost).toBe(1);
  });

  it("is no lost call where it took too long, and counts in no figure either", async () => {
    const { finding, view, headline } = await gateOf(repeated("timeout"));
    expect(finding.lost).toEqual([]);
    expect(view.manifest.counts).toMatchObject({
      rejected: { "init-repeated": 1 },
      initTimeouts: 1,
    });
    expect(headline).toContain("1 call ran Init again after it had taken too long");
    expect(gateExitCode(finding)).toBe(exitCodes.complete);
  });
});

const figure = fc.oneof(
  fc.double({ min: 0.3, max: 3, noNaN: true }),
  fc.constantFrom(undefined, Number.NaN, 0, -1, Number.POSITIVE_INFINITY),
);
const comparison = fc.record(
  {
    ratio: figure,
    low: figure,
    high: figure,
    environments: fc.constantFrom(0, 9, 60),
    baselineEnvironments: fc.constantFrom(0, 9, 60),
    verdict: fc.constantFrom("faster", "equivalent", "undecided"),
    undecidedReason: fc.constantFrom(
      ...(["interval-crosses-margin", "too-few", "not-positive", "inside-noise-floor"] as const),
      ...(["within-cpu-period", "few-calls", "one-of-many", "differs"] as const),
    ),
  },
  { requiredKeys: ["environments", "baselineEnvironments", "verdict"] },
) as fc.Arbitrary<Compared>;

const manifest: Pick<Manifest, "target" | "status" | "cellFailures" | "counts"> = {
  ...{ target: "local", status: "complete", cellFailures: [] },
  counts: { planned: 90, recorded: 90, kept: 90, rejected: {} },
};
const findingOf = (comparisons: readonly Compared[]) =>
  gateFinding({ comparisons, margin: 0.05, manifests: [manifest] });

describe("a gate, of any figures", () => {
  it("passes only what has finite ones, and with not-proven only what lies below the margin", () => {
    fc.assert(
      fc.property(fc.array(comparison, { minLength: 1, maxLength: 6 }), (comparisons) => {
        const finding = findingOf(comparisons);
        if (gateExitCode(finding) === exitCodes.complete) {
          for (const { ratio = 0, low = 0, high = 0 } of comparisons) {
            expect([ratio, low, high].every((each) => Number.isFinite(each) && each > 0)).toBe(
              true,
            );
          }
        }
        const isProven = gateExitCode(finding, "not-proven") === exitCodes.complete;
        const open = comparisons.filter(
          ({ verdict, high = Number.NaN }) => verdict === "undecided" && !(high < 1.05),
        );
        if (isProven) expect(open).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("states the largest bound that is not excluded, if that is a slowdown", () => {
    fc.assert(
      fc.property(fc.array(comparison, { minLength: 1, maxLength: 6 }), (comparisons) => {
        const finding = findingOf(comparisons);
        const largest = Math.max(...finding.notProven.map(({ high = 0 }) => high));
        expect(slowdownNotExcluded(finding)).toBe(largest > 1 ? largest : undefined);
      }),
    );
  });

  it("ends with 6 on what is undecided where proof is asked for", () => {
    const open: Compared = {
      ...{ ratio: 1.43, low: 1.27, high: 1.91, environments: 9, baselineEnvironments: 9 },
      ...{ verdict: "undecided", undecidedReason: "inside-noise-floor" },
    };
    expect(gateExitCode(findingOf([open]))).toBe(exitCodes.complete);
    expect(gateExitCode(findingOf([open]), "not-proven")).toBe(exitCodes.notProven);
  });
});

describe("what decides an open comparison", () => {
  const sizes = { environments: 9, warmEnvironments: 9, warmCalls: 11, discardedCalls: 3 };
  const run = { startedAt: "2026-11-01T08:00:00.000Z", endedAt: "2026-11-01T08:03:00.000Z" };
  const open = (ratio: number, low: number, high: number, more: Partial<Compared> = {}) =>
    findingOf([
      {
        ...{ ratio, low, high, environments: 9, baselineEnvironments: 9 },
        ...{ verdict: "undecided", undecidedReason: "interval-crosses-margin", ...more },
      },
    ]);

  it("is as many environments as the distance from the margin asks for, with their minutes", () => {
    const remedy = gateRemedy(open(1.2, 1.0, 1.44), { sizes }, [run]);
    expect(remedy).toEqual({
      kind: "environments",
      environments: 35,
      warmCalls: 385,
      minutes: 35 / 3,
    });
    expect(remedy && remedyText(remedy)).toBe(
      "To decide what is open: --preset standard --cold 35 --warm 385, about 12 minutes.",
    );
  });

  it("is a precision where more environments are needed than a preset has for warm calls", () => {
    const remedy = gateRemedy(open(1.12, 0.95, 1.32), { sizes }, [run]);
    expect(remedy?.kind).toBe("precision");
    expect(remedy && remedyText(remedy)).toMatch(
      /: --preset standard --until-precision 4\.6% --max-minutes \d+, about \d+ minutes\.$/,
    );
  });

  it.each([
    ["a ratio at the margin", open(1.05, 0.9, 1.2)],
    ["A/A noise", open(1.43, 1.27, 1.91, { undecidedReason: "inside-noise-floor" })],
  ])("is nothing of %s", (_what, finding) => {
    const remedy = gateRemedy(finding, { sizes }, [run]);
    expect(remedy).toEqual({ kind: "none" });
    expect(remedy && remedyText(remedy)).toContain("More environments are not expected to decide");
  });

  it("is not asked for where nothing is open", () => {
    expect(gateRemedy(open(1.0, 0.98, 1.02), { sizes }, [run])).toBeUndefined();
    const lossy = { ...open(1.2, 1.0, 1.44), lost: [{ reason: "error", calls: 3 }] } as const;
    expect(gateRemedy(lossy, { sizes }, [run])).toBeUndefined();
  });
});
