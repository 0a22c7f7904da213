import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportView } from "../../lib/analysis/report-view.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { plain } from "../../lib/report/document/document.ts";
import { adviceText } from "../../lib/report/first-screen/advice.ts";
import { topicSentences } from "../../lib/report/first-screen/sentences.ts";
import { callWords, type Placed } from "../../lib/report/first-screen/topic.ts";
import { viewAnswer } from "../../lib/report/first-screen/view-answer.ts";
import { renderTerminal } from "../../lib/report/render/terminal.ts";
import type { FixtureChoice } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

// A sentence that tells a cause tells the one that the figures have.

const choice = {
  ...{ target: "local", memoryMb: [128, 512], operations: ["get"], cold: 9, warm: 60 },
  ...{ variants: ["rust", "python"], replica: false },
} as const satisfies FixtureChoice;

const whole = (await fixtureReport(choice)).view;

function screenOf(view: Summary): string {
  const { block } = viewAnswer(reportView(view), { sections: () => [], limits: [] }, undefined);
  return renderTerminal(view.subject.title, block);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** The view without what a phase measured: its calls all failed, say. */
function without(view: Summary, phases: readonly ("cold" | "warm")[]): Summary {
  const isGone = (phase: string) => (phases as readonly string[]).includes(phase);
  const none = { n: 0, environments: 0 };
  return {
    ...view,
    series: view.series.map((each) =>
      isGone(each.phase) ? { ...each, ...none, durationMs: none } : each,
    ),
    cost: {
      ...view.cost,
      cells: view.cost.cells.map(({ cell, coldEnvironments, warm }) => ({
        ...{ cell, coldEnvironments: isGone("cold") ? 0 : coldEnvironments },
        warm: warm.map(({ operation, environments }) => ({
          operation,
          environments: isGone("warm") ? 0 : environments,
        })),
      })),
    },
    recommendation: {
      ...(view.recommendation as NonNullable<Summary["recommendation"]>),
      variants: (view.recommendation?.variants ?? []).map((each) => ({
        ...each,
        sizes: each.sizes.map(({ cell }) => ({ cell })),
      })),
    },
  };
}

describe("why no size is recommended", () => {
  const advice = (view: Summary) => plain(adviceText(reportView(view)));
  const unpriced = (view: Summary): Summary => ({
    ...view,
    cost: {
      ...view.cost,
      cells: view.cost.cells.map((cell) => ({ ...cell, priceAbsent: "no price" })),
    },
  });

  it.each([
    [["cold"], "no cold start with a bill counts"],
    [["warm"], "no warm call with a bill counts"],
    [["warm", "cold"], "no warm call and no cold start with a bill counts"],
    [[], "no variant has both a cold start and a warm call that count"],
  ] as const)("is the calls, where those of %j do not count", (phases, cause) => {
    expect(advice(without(whole, phases))).toBe(`No size is recommended: ${cause}.`);
  });

  it("is the price only where no cell has one", () => {
    expect(advice(unpriced(without(whole, ["cold"])))).toBe(
      "No size is recommended: no price of us-east-1 is known.",
    );
    const { region: _, ...manifest } = whole.manifest;
    const imported = { ...manifest, target: "imported" as const };
    expect(advice({ ...unpriced(without(whole, [])), manifest: imported })).toBe(
      "No size is recommended: the region is not recorded, and so no price is known.",
    );
    const empty = without(whole, ["cold", "warm"]);
    expect(advice({ ...empty, cost: { ...empty.cost, cells: [] } })).not.toContain("price");
  });
});

describe("a size or a variant whose calls failed", () => {
  const adviceOf = async (isLost: (sample: Sample) => boolean, of: FixtureChoice = choice) => {
    const each = (sample: Sample): Sample =>
      isLost(sample) ? { ...sample, rejected: { reason: "error" } } : sample;
    const { view } = await fixtureReport(of, { each });
    return plain(adviceText(reportView(view)));
  };

  it("is recommended by nothing, and its calls are counted", async () => {
    for (const variant of ["rust", "python"]) {
      const advice = await adviceOf(({ cell, block }) => cell.variant === variant && block < 2);
      const [name, other] = variant === "rust" ? ["Rust", "Python"] : ["Python", "Rust"];
      expect(advice).toContain(`Take ${other} at`);
      expect(advice).toContain(`2 sizes are left out, as calls failed: ${name} at`);
    }
    const one = await adviceOf(({ cell }) => cell.variant === "rust" && cell.memoryMb === 128);
    expect(one).toMatch(/Rust at 128 MB is left out: \d+ calls failed\.$/);
  });

  it("is the cause where there is no other", async () => {
    expect(await adviceOf(({ block }) => block < 3)).toBe(
      "No size is recommended: calls failed at every size.",
    );
  });

  it("is left out for a single one, as a gate does not compare it", async () => {
    const cold = ({ cell, block, phase }: Sample) =>
      cell.id === "rust-arm64-128" && block === 0 && phase === "cold";
    expect(await adviceOf(cold, { ...choice, warm: 180 })).toContain("left out: 1 call failed");
  });
});

describe("what another variant costs", () => {
  const bound = fc.double({ min: 0.5, max: 2, noNaN: true });
  const interval = fc
    .tuple(bound, bound)
    .map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) }));

  it("is more, the same or undecided as the intervals have it", () => {
    fc.assert(
      fc.property(interval, fc.option(interval, { nil: undefined }), (rust, python) => {
        const view = withCosts(rust, python);
        const text = plain(adviceText(reportView(view)));
        const isFirst = text.includes("Take Rust at");
        const [less, more] = isFirst ? [rust, python] : [python, rust];
        const kind = kindOf(less, more);
        const name = isFirst ? "Python" : "Rust";
        expect(new RegExp(`${name} costs \\d[\\d.]*× `).test(text), text).toBe(kind === "dearer");
        expect(text.includes("costs the same within"), text).toBe(kind === "same");
        expect(text.includes("costs more is undecided"), text).toBe(
          kind === "open" || kind === "few",
        );
        expect(text.includes("too few environments"), text).toBe(kind === "few");
      }),
      { numRuns: 500, seed: 40 },
    );
  });

  type Ends = { readonly low: number; readonly high: number } | undefined;

  function kindOf(less: Ends, more: Ends): "few" | "dearer" | "same" | "open" {
    if (less === undefined || more === undefined) return "few";
    const [least, most] = [more.low / less.high, more.high / less.low];
    if (least > 1.05) return "dearer";
    return most <= 1.05 && least >= 1 / 1.05 ? "same" : "open";
  }

  function withCosts(rust: Ends, python: Ends): Summary {
    const { recommendation } = whole;
    const costs = new Map([
      ["rust", rust],
      ["python", python],
    ]);
    const variants = (recommendation?.variants ?? []).map((each) => {
      const usdInterval = costs.get(each.variant);
      const usdPerMillion =
        usdInterval === undefined ? 1 : Math.sqrt(usdInterval.low * usdInterval.high);
      const [size] = each.sizes;
      return {
        ...{ ...each, cheapest: { kind: "no-choice" as const } },
        sizes:
          size === undefined
            ? []
            : [{ cell: size.cell, usdPerMillion, ...(usdInterval && { usdInterval }) }],
      };
    });
    return {
      ...whole,
      recommendation: { ...recommendation, variants } as NonNullable<Summary["recommendation"]>,
    };
  }
});

describe("how much was measured", () => {
  const counts = (view: Summary) => /How sure: (.*?), simulated/.exec(oneLine(screenOf(view)))?.[1];

  it("is said of the phases that have calls, and never as none of many", () => {
    expect(counts(whole)).toMatch(/^n = [\d,]+ warm calls in 9 environments each/);
    expect(counts(without(whole, ["warm"]))).toBe("n = 9 cold starts each (no warm call counts)");
    expect(counts(without(whole, ["warm", "cold"]))).toBe("no call counts");
  });

  it("names how many series have no warm call, where only some do", () => {
    const [first] = whole.series.filter(({ phase }) => phase === "warm");
    const series = whole.series.map((each) =>
      each === first ? { ...each, durationMs: { n: 0, environments: 0 } } : each,
    );
    expect(counts({ ...whole, series })).toMatch(
      /^n = [1-9][\d,]* warm calls in 9 environments each, none in 1 of 4 series/,
    );
  });
});

describe("why a run is not whole", () => {
  const part = (manifest: Partial<Summary["manifest"]>) =>
    oneLine(
      screenOf({
        ...whole,
        manifest: {
          ...whole.manifest,
          ...{ status: "partial", counts: { ...whole.manifest.counts, recorded: 10 } },
          ...manifest,
        },
      }),
    );

  it("stands on the terminal's first screen, with the failure's type before a message that says nothing", () => {
    const failure = { cellId: "python-arm64-128", block: 2, type: "KeyError", message: "'id'" };
    const screen = part({ cellFailures: [failure, { ...failure, block: 3 }] });
    expect(screen).toContain("2 trials failed, the first of python-arm64-128: KeyError: 'id'.");
  });

  it("is what ended the run, or that nothing tells it", () => {
    expect(part({ endedEarly: "It was interrupted before its end" })).toContain(
      "were recorded (3%). It was interrupted before its end.",
    );
    expect(part({})).toContain("The run does not say why.");
  });
});

describe("a long note on the terminal", () => {
  const words = fc.array(fc.constantFrom("a", "function", "of", "the", "emulated", "service"), {
    minLength: 3,
    maxLength: 12,
  });
  const sentence = words.map((all) => `${all.join(" ")}.`);

  it("keeps its bold part and whole sentences after it, and announces nothing that does not come", () => {
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 1, maxLength: 12 }),
        fc.constantFrom("Not measured:", "This run is PARTIAL."),
        (sentences, lead) => {
          const text = [{ mark: "strong", text: lead }, ` ${sentences.join(" ")}`] as const;
          const [note = ""] = renderTerminal("Title", {
            kind: "first-screen",
            blocks: [{ kind: "note", tone: "remark", text }],
          })
            .replace(/^Title\n/, "")
            .split("\n\n");
          const shown = oneLine(note).trim();
          expect(shown.startsWith(lead)).toBe(true);
          expect(shown.endsWith(":")).toBe(false);
          expect(shown).toMatch(/(?:\.| …)$/);
          if (lead.endsWith(":")) expect(shown.length).toBeGreaterThan(lead.length + 5);
          const whole = `${lead} ${sentences.join(" ")}`;
          expect(whole.startsWith(shown.replace(/ …$/, ""))).toBe(true);
        },
      ),
      { numRuns: 300, seed: 9 },
    );
  });
});

describe("what is undecided", () => {
  const reasons = {
    "interval-crosses-margin": undefined,
    "inside-noise-floor": "within A/A noise",
    "within-cpu-period": "within one CPU period",
    "one-of-many": "not significant after correction",
    differs: "significant, but perhaps by less than the margin",
    "not-positive": "a mean is 0",
    "too-few": "too few environments",
  } as const;
  type Reason = keyof typeof reasons;

  it("has each cause beside the number of comparisons that have it", () => {
    const all = Object.keys(reasons) as Reason[];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 9 }), (found) => {
        const compared = found.map(placed);
        const topic = { subject: "Python", against: "Rust", call: callWords.warm, compared };
        const text = topicSentences([topic], 0.05).rest.map(plain).join(" ");
        for (const reason of all) {
          const n = found.filter((each) => each === reason).length;
          const cause = reasons[reason];
          if (cause === undefined) continue;
          expect(text.includes(cause), `${reason}: ${text}`).toBe(n > 0);
          if (n > 0 && n < found.length) expect(text).toContain(`${n} of them ${cause}`);
        }
      }),
      { numRuns: 300, seed: 41 },
    );
  });

  it("says that a side has no call that counts, and of how many environments there are too few", () => {
    const few = (environments: number): Placed => ({ ...placed("too-few", 0), environments });
    const said = (...compared: Placed[]) =>
      topicSentences(
        [{ subject: "Python", against: "Rust", call: callWords.warm, compared }],
        0.05,
      ).rest.map(plain);
    expect(said(few(0))).toEqual([
      "Cannot tell Python from Rust on a warm call: one side has no call that counts.",
    ]);
    expect(said(few(4), few(5))).toEqual([
      "Cannot tell Python from Rust on a warm call: 1 of them too few environments, 4 of 6; 1 of them too few environments, 5 of 6.",
    ]);
  });

  function placed(reason: Reason, index: number): Placed {
    const hasNone = reason === "too-few" || reason === "not-positive";
    return {
      ...{ verdict: "undecided", undecidedReason: reason, row: `row-${index}`, size: "128 MB" },
      ...(hasNone ? {} : { ratio: 1.1, low: 0.9, high: 1.3 }),
      ...(reason === "too-few" && {
        ...{ environments: 4, baselineEnvironments: 9, environmentsNeeded: 6 },
      }),
    };
  }
});
