import { describe, expect, it, test } from "vitest";
import sampleSchema from "../../lib/contract/schemas/sample.schema.json" with { type: "json" };
import type { Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import {
  type FixtureChoice,
  fixtureInputs,
  fixtureManifest,
  fixturePlan,
  fixtureSamples,
  type Replaced,
} from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { htmlWithoutPictures } from "./support/html-without-pictures.ts";
import { rowWith, tableRows } from "./support/markdown-tables.ts";

const choice: FixtureChoice = { target: "local", memoryMb: [128], operations: ["get"] };
const plan = fixturePlan(choice);
const all = [...fixtureSamples(plan)];

const reportOf = (samples: readonly Sample[], replaced: Replaced = {}) =>
  fixtureReport(choice, { samples, ...replaced });

const whole = await reportOf(all);
const pythonLabel = "Python (boto3)";
const cold = (markdown: string, variant: string) =>
  rowWith(tableRows(markdown, "Cold start: mean"), { Variant: variant });
const rustCold = (markdown: string) => cold(markdown, "Rust (default build)");
const pythonCold = (markdown: string) => cold(markdown, pythonLabel);
const warmPython = (markdown: string, caption: string) =>
  rowWith(tableRows(markdown, caption), { Operation: "`get`", Variant: pythonLabel });
/** The sample with other fields in what its function said. */
const withResult = (sample: Sample, fields: object): Sample => ({
  ...sample,
  result: { ...Object(sample.result), ...fields },
});

describe("rejected samples", () => {
  const isSpoilt = ({ phase, block, cell }: Sample) =>
    phase === "cold" && block === 0 && cell.variant === "python";
  const spoilt = all.map(
    (sample): Sample =>
      isSpoilt(sample)
        ? {
            ...sample,
            telemetry: { ...sample.telemetry, durationMs: 9_999_999 },
            rejected: { reason: "boot-id-reused", detail: "seen before" },
          }
        : sample,
  );

  test("count in no statistic", async () => {
    const without = await reportOf(all.filter((sample) => !isSpoilt(sample)));
    const { markdown } = await reportOf(spoilt);
    expect(pythonCold(markdown)).toEqual(pythonCold(without.markdown));
    expect(pythonCold(markdown).n).toBe("8");
    const [statistics = "", quality = ""] = markdown.split("\n### Data quality");
    expect(statistics).not.toContain("9999999");
    expect(quality).toContain("9999999");
  });

  test("stand one by one, with their place in the data and their own words", async () => {
    const { markdown } = await reportOf(spoilt);
    expect(tableRows(markdown, "Rejected as `boot-id-reused`")).toEqual([
      {
        Cell: "python-arm64-128",
        Block: "0",
        Sequence: "0",
        Phase: "cold",
        Operation: "`get`",
        "Duration ms": "9999999",
        Detail: "seen before",
      },
    ]);
  });

  test("say of a repeated Init how it failed and what its caller waited", async () => {
    const { markdown } = await reportOf(
      all.map((sample) =>
        isSpoilt(sample)
          ? {
              ...sample,
              clientLatencyMs: 10_200,
              failedInits: [{ status: "timeout", durationMs: 10_009.13 }],
              rejected: { reason: "init-repeated" },
            }
          : sample,
      ),
    );
    const [row] = tableRows(markdown, "Rejected as `init-repeated`");
    expect(row?.Detail).toBe("Init timed out after 10009.13 ms; its caller waited 10200.00 ms");
  });

  test("beyond twenty of a reason are counted, and said where to find, whatever their order", async () => {
    const { markdown, manifest } = await reportOf(spoilt);
    const discarded = manifest.counts.rejected["warm-up"] as number;
    const rows = tableRows(markdown, "Rejected as `warm-up`");
    expect(rows).toHaveLength(20);
    expect(rows[0]).toMatchObject({ Cell: "python-arm64-128", Block: "0", Sequence: "2" });
    expect(markdown).toContain(`${discarded - 20} more are in the folder \`samples\` of run`);
    const backwards = await reportOf(spoilt.toReversed());
    expect(tableRows(backwards.markdown, "Rejected as `warm-up`")).toEqual(rows);
  });

  test("are counted by reason and phase, with what the reason means", async () => {
    const { markdown, manifest } = await reportOf(spoilt.toReversed());
    const rows = tableRows(markdown, "Rejected samples");
    expect(rows.map(({ Reason }) => Reason)).toEqual(["`boot-id-reused`", "`warm-up`"]);
    expect(tableRows((await reportOf(spoilt)).markdown, "Rejected samples")).toEqual(rows);
    const row = rowWith(rows, { Reason: "`boot-id-reused`" });
    expect(row).toMatchObject({ Cold: "1", Second: "0", Warm: "0" });
    expect(row.Meaning).toContain("seen before");
    expect(manifest.counts.rejected).toEqual({
      "boot-id-reused": 1,
      "warm-up": plan.cells.length * 9 * 3,
    });
    expect(manifest.counts.kept).toBe(
      manifest.counts.recorded - 1 - (manifest.counts.rejected["warm-up"] as number),
    );
  });

  test("samples of another run or of no planned cell are told and left out", async () => {
    const first = all[0] as Sample;
    const foreign: Sample[] = [
      { ...first, runId: "another" },
      { ...first, target: "aws" },
      { ...first, cell: { ...first.cell, id: "never-planned" } },
    ];
    const { manifest, markdown } = await reportOf([...all, ...foreign]);
    expect(manifest.counts.rejected).toMatchObject({ "of-another-run": 2, "cell-not-in-plan": 1 });
    expect(rustCold(markdown)).toEqual(rustCold(whole.markdown));
  });
});

describe("samples that one run cannot have left", () => {
  const first = all.find(({ cell }) => cell.id === "rust-arm64-128") as Sample;
  const isOfTrial = ({ cell, block }: Sample) => cell.id === first.cell.id && block === first.block;
  const trial = all.filter(isOfTrial);
  const others = all.filter((sample) => !isOfTrial(sample));
  const faster = (sample: Sample): Sample => ({
    ...sample,
    telemetry: { durationMs: 0.01, billedDurationMs: 1, memorySizeMb: 128 },
  });

  test("the same call twice: neither is taken for the true one", async () => {
    const { manifest, markdown } = await reportOf([...others, ...trial, ...trial.map(faster)]);
    expect(manifest.counts.rejected["recorded-twice"]).toBe(2 * trial.length);
    const row = rustCold(markdown);
    expect(row.n).toBe("8");
    expect(row).toEqual(rustCold((await reportOf(others)).markdown));
    const rows = tableRows(markdown, "Rejected as `recorded-twice`");
    expect(rows[0]).toMatchObject({ Cell: first.cell.id, Block: String(first.block) });
    expect(markdown).toContain(
      `${2 * trial.length} samples of this run cannot have been measured by one run`,
    );
    expect(markdown).not.toContain("no meaning recorded");
  });

  test("an environment with two boot ids: nothing of it counts", async () => {
    const mixed = trial.map((sample, index) =>
      index % 2 === 0 ? sample : withResult(sample, { bootId: "other" }),
    );
    const { manifest, markdown } = await reportOf([...others, ...mixed]);
    expect(manifest.counts.rejected["two-boot-ids"]).toBe(trial.length);
    expect(rustCold(markdown).n).toBe("8");
  });

  test("a copy of a trial that stands elsewhere in the data: the copy counts in nothing", async () => {
    const { manifest, markdown } = await reportOf([...trial, ...others, ...trial.map(faster)]);
    expect(manifest.counts.rejected["recorded-twice"]).toBe(trial.length);
    expect(manifest.counts.kept).toBe(whole.manifest.counts.kept);
    expect(rustCold(markdown)).toEqual(rustCold(whole.markdown));
  });

  test("a process of two environments: only one of them counts", async () => {
    const { bootId } = Object(first.result);
    const isNext = ({ cell, block }: Sample) =>
      cell.id === first.cell.id && block === first.block + 1;
    const next = all.filter(isNext);
    const shared = all.map((sample) => (isNext(sample) ? withResult(sample, { bootId }) : sample));
    const { manifest, markdown } = await reportOf(shared);
    expect(manifest.counts.rejected["boot-id-of-another"]).toBe(next.length);
    expect(rustCold(markdown).n).toBe("8");
    expect(markdown).toContain(
      `${next.length} samples of this run cannot have been measured by one run`,
    );
  });

  test("two recordings of a run in one folder: where they differ, nothing counts as if it were sound", async () => {
    const byPlace = ({ cell, block, sequence }: Sample) =>
      `${cell.id} ${String(block).padStart(4, "0")} ${String(sequence).padStart(4, "0")}`;
    const other = all
      .filter(({ block }) => block % 2 === 0)
      .map(faster)
      .map((sample) => withResult(sample, { bootId: `${Object(sample.result).bootId}-other` }));
    const mixed = [...all, ...other].sort((a, b) => (byPlace(a) < byPlace(b) ? -1 : 1));
    const { manifest } = await reportOf(mixed);
    expect(manifest.counts.rejected["recorded-twice"]).toBe(2 * other.length);
    const odd = all.filter(({ block, rejected }) => block % 2 === 1 && rejected === undefined);
    expect(manifest.counts.kept).toBe(odd.length);
  });

  test("another process that the sampler itself saw spoils no more than its own sample", async () => {
    const replaced = trial.map((sample, index) =>
      index < trial.length - 1
        ? sample
        : {
            ...withResult(sample, { bootId: "other" }),
            rejected: { reason: "boot-id-changed" as const },
          },
    );
    const { manifest } = await reportOf([...others, ...replaced]);
    expect(manifest.counts.rejected["two-boot-ids"]).toBeUndefined();
    expect(manifest.counts.rejected["boot-id-changed"]).toBe(1);
  });

  test("more calls, environments or attempts than the plan has: those beyond it count in nothing", async () => {
    const beyond = [
      { ...first, sequence: trial.length },
      ...trial.map((sample) => faster({ ...sample, attempt: 1 })),
      { ...first, block: 1_000_000_000 },
    ];
    const { manifest, markdown } = await reportOf([...others, ...trial, ...beyond]);
    expect(manifest.counts.rejected["not-in-plan"]).toBe(beyond.length);
    expect(manifest.counts.kept).toBe(whole.manifest.counts.kept);
    expect(rustCold(markdown)).toEqual(rustCold(whole.markdown));
  });

  test("a trial that was stopped and made again contradicts nothing", async () => {
    const again = trial.map((sample) => ({
      ...withResult(sample, { bootId: "of the second attempt" }),
      attempt: 1,
    }));
    const { manifest } = await reportOf([...others, ...again, ...trial.slice(0, 5)]);
    for (const reason of ["recorded-twice", "two-boot-ids", "not-in-plan"]) {
      expect(manifest.counts.rejected[reason]).toBeUndefined();
    }
  });
});

describe("what is missing", () => {
  test("is a dash and never 0: a cell without samples", async () => {
    const { markdown } = await reportOf(all.filter((sample) => sample.cell.variant !== "python"));
    const row = pythonCold(markdown);
    expect(row["Init ms"]).toBe("–");
    expect(row["Billed ms"]).toBe("–");
    const warm = warmPython(markdown, "Warm Duration: mean [");
    expect(warm["Duration ms"]).toBe("–");
    expect(warm.Ratio).toBe("–");
    expect(markdown).toContain("it never means 0");
  });

  test("telemetry without a bill leaves bill, memory and cost empty, and nothing else", async () => {
    const { markdown } = await reportOf(
      all.map((sample) => ({
        ...sample,
        telemetry: {
          durationMs: sample.telemetry?.durationMs as number,
          ...(sample.telemetry?.initDurationMs !== undefined && {
            initDurationMs: sample.telemetry.initDurationMs,
          }),
        },
      })),
    );
    const row = pythonCold(markdown);
    expect(row["Init ms"]).toBe(pythonCold(whole.markdown)["Init ms"]);
    expect(row).toMatchObject({ "Billed ms": "–", "Max memory MB": "–" });
    const cost = rowWith(tableRows(markdown, "Cost per million"), { Variant: pythonLabel });
    expect(cost).toMatchObject({ "Cold `get`": "–", "Warm `get`": "–", "`get` at 1% cold": "–" });
  });

  test("a number that no clock can give is missing, too", async () => {
    const strange = all.map((sample) => ({
      ...withResult(sample, { sdkCallMs: -1 }),
      clientLatencyMs: Number.NaN,
    }));
    const { markdown, files } = await reportOf(strange);
    expect(warmPython(markdown, "Warm SDK call")["SDK call ms"]).toBe("–");
    expect(files["series.csv"]).not.toContain("NaN");
  });

  test("too few environments: the median without an interval, and no ratio", async () => {
    const { markdown } = await reportOf(all.filter((sample) => sample.block < 4));
    const row = warmPython(markdown, "Warm Duration: mean [");
    expect(row["Duration ms"]).toMatch(/^[\d.]+$/);
    expect(row.Ratio).toBe("insufficient (4 of 6)");
    expect(row.Verdict).toBe("undecided (too few)");
    const tail = rowWith(tableRows(markdown, "Quantiles over all kept samples"), {
      Phase: "warm",
      Operation: "`get`",
      Variant: pythonLabel,
    });
    expect(tail["P95 ms"]).toBe("insufficient (28 of 60)");
    expect(tail["P99 ms"]).toBe("insufficient (28 of 300)");
  });
});

describe("a partial run", () => {
  test("says so before anything else, with planned and recorded", async () => {
    const some = all.slice(0, 300);
    const report = await reportOf(some, { manifest: { status: "partial" } });
    const warning = `**This run is PARTIAL: 300 of ${all.length.toLocaleString("en-US")} planned samples were recorded`;
    expect(report.markdown.indexOf(warning)).toBeGreaterThan(0);
    expect(report.markdown.indexOf(warning)).toBeLessThan(report.markdown.indexOf("## "));
    expect(report.headline.split("\n")[1]).toContain("WARNING: This run is PARTIAL: 300 of");
    expect(report.manifest.counts).toMatchObject({ planned: all.length, recorded: 300 });
    expect(htmlWithoutPictures(report)).toContain("This run is PARTIAL");
  });

  test("a complete run that lost samples says INCOMPLETE; a whole one says neither", async () => {
    expect((await reportOf(all.slice(1))).markdown).toContain("This run is INCOMPLETE");
    expect(whole.markdown).not.toMatch(/PARTIAL|INCOMPLETE/);
  });

  test("a run of which nothing was recorded still makes a report", async () => {
    const report = await reportOf([], { manifest: { status: "partial" } });
    expect(report.markdown).toContain("0 of");
    expect(report.manifest.counts).toMatchObject({ recorded: 0, kept: 0, rejected: {} });
  });
});

describe("failures and flags", () => {
  test("the share of cold starts that were initialised before their call is of those that tell it", async () => {
    const cold = all.filter(({ phase }) => phase === "cold").slice(0, 9);
    const samples = cold.map((sample, index): Sample => {
      if (index === 8) return sample;
      const isEarly = index < 2;
      const result = { initToFirstEventMs: isEarly ? 4000 : 20 };
      return { ...sample, result, ...(isEarly && { flags: ["initialised-early"] }) };
    });
    expect((await reportOf(samples)).markdown).toContain(
      "Initialised early: 2 of the 8 cold samples whose function reports when Init ended (25%).",
    );
    expect(whole.markdown).not.toContain("Initialised early:");
  });

  test("a failing cell is told with its message, and the others are reported", async () => {
    const failure = {
      cellId: "python-arm64-128",
      block: 2,
      type: "InitError",
      message: "exit code 1\nTraceback: no module named boto3",
    };
    const { markdown, screen } = await reportOf(
      all.filter((sample) => sample.cell.variant !== "python"),
      { manifest: { cellFailures: [failure], warnings: ["the lanes were narrowed to 1"] } },
    );
    const why =
      "1 trial failed, of python-arm64-128: InitError: exit code 1 Traceback: no module named boto3";
    expect(screen).toContain(why);
    const row = rowWith(tableRows(markdown, "Trials that failed"), { Cell: "python-arm64-128" });
    expect(row).toMatchObject({ Block: "2", Type: "`InitError`" });
    expect(row.Message).toBe("exit code 1 Traceback: no module named boto3");
    expect(
      rowWith(tableRows(markdown, "Samples by cell"), { Cell: "python-arm64-128" }),
    ).toMatchObject({
      Recorded: "0",
      "Failed trials": "1",
    });
    expect(markdown).toContain("- the lanes were narrowed to 1");
    expect(cold(markdown, "Rust (tuned build)").n).toBe("9");
  });

  test("errors are grouped by cell and type with the first one's message", async () => {
    const failed = all.map(
      (sample, index): Sample =>
        index < 3
          ? {
              ...sample,
              error: { type: "Sandbox.Timedout", message: `attempt ${index}` },
              rejected: { reason: "error" },
            }
          : sample,
    );
    const { markdown } = await reportOf(failed);
    const rows = tableRows(markdown, "Invocations that failed");
    expect(rows.reduce((sum, row) => sum + Number(row.Count), 0)).toBe(3);
    expect(rows[0]?.["First message"]).toBe("attempt 0");
  });

  test("a bill that is not the ceiling of Init and Duration is flagged, once", async () => {
    const [first, ...rest] = all;
    const wrong: Sample = {
      ...(first as Sample),
      telemetry: { ...first?.telemetry, durationMs: 10, initDurationMs: 5, billedDurationMs: 99 },
      flags: ["billed-mismatch"],
    };
    const { markdown, manifest } = await reportOf([wrong, ...rest]);
    const row = rowWith(tableRows(markdown, "Flagged samples"), { Flag: "`billed-mismatch`" });
    expect(row.Cold).toBe("1");
    expect(manifest.counts.kept).toBe(whole.manifest.counts.kept);
    expect(whole.markdown).toContain("No sample was flagged.");
  });

  test("the control plane's throttling is counted by cell, and in the manifest", async () => {
    const throttled = all.map(
      (sample): Sample =>
        sample.phase !== "cold"
          ? sample
          : {
              ...sample,
              forcedCold:
                sample.cell.variant === "python"
                  ? { throttledCalls: 2, waitedMs: 1250.4 }
                  : { throttledCalls: 0, waitedMs: 0 },
            },
    );
    const { markdown, manifest } = await reportOf(throttled);
    const cells = tableRows(markdown, "Samples by cell");
    expect(rowWith(cells, { Cell: "python-arm64-128" })).toMatchObject({
      "Throttled calls": "18",
      "Throttled, waited ms": "11,254",
    });
    expect(rowWith(cells, { Cell: "rust-arm64-128" })).toMatchObject({
      "Throttled calls": "0",
      "Throttled, waited ms": "0",
    });
    expect(manifest.counts.throttledCalls).toBe(18);
    expect(contractProblem("manifest", manifest)).toBeUndefined();
  });

  test("throttling that was not counted is told nowhere, and a cell without a cold sample has none", async () => {
    expect(whole.markdown).not.toContain("Throttled");
    expect(whole.manifest.counts).not.toHaveProperty("throttledCalls");
    const some = all.map((sample): Sample => {
      const isCounted = sample.phase === "cold" && sample.cell.variant === "python";
      return isCounted ? { ...sample, forcedCold: { throttledCalls: 1, waitedMs: 5 } } : sample;
    });
    const cells = tableRows((await reportOf(some)).markdown, "Samples by cell");
    expect(rowWith(cells, { Cell: "rust-arm64-128" })["Throttled calls"]).toBe("–");
  });

  test("every flag and reason of the contract has a meaning", async () => {
    const { items } = sampleSchema.properties.flags;
    const { reason } = sampleSchema.properties.rejected.properties;
    const flagged = items.enum.map((flag) => ({ flags: [flag] }));
    const rejected = reason.enum.map((each) => ({ rejected: { reason: each } }));
    const labels = [...flagged, ...rejected];
    const { markdown } = await reportOf(
      all.map((sample, index) => ({ ...sample, ...labels[index] }) as Sample),
    );
    for (const label of [...items.enum, ...reason.enum]) expect(markdown).toContain(`\`${label}\``);
    expect(markdown).not.toContain("no meaning recorded");
  });

  test("without floor or A/A pair the report says what is not known", async () => {
    const { floor: _, ...manifest } = fixtureManifest(plan);
    const inputs = fixtureInputs({ ...choice, replica: false });
    const { files } = await renderReport({ ...inputs, manifest });
    expect(files["report-full.md"]).toContain("The cost of the host itself was not measured");
    expect(files["report-full.md"]).toContain("No A/A pair was run, so there is no noise floor");
    expect(whole.markdown).not.toMatch(/was not measured in this run|No A\/A pair/);
  });
});

test("the manifest keeps the contract", () => {
  expect(
    contractProblem("manifest", JSON.parse(whole.files["manifest.json"] as string)),
  ).toBeUndefined();
});

test("the level of a median's interval is told where it is well above 95%", async () => {
  const told = /here it is ([^:]*) environments\./;
  const of = async (cold: number) =>
    (await fixtureReport({ ...choice, cold, warm: 10 * cold })).markdown;
  // 1 - 2 / 2^8.
  expect(told.exec(await of(8))?.[1]).toBe("99.2% of 8");
  // 1 - 2 (1 + 9) / 2^9: 96.1%.
  expect(await of(9)).not.toContain("% of 9");
});

describe("what is to be minded of series", () => {
  const wide: FixtureChoice = { ...choice, cold: 30, preset: "standard" };
  const ofFew = "Series with an observation that at most a quarter";
  const driftingIn = async (drifts: (sample: Sample) => boolean) => {
    const each = (sample: Sample) => ({
      ...sample,
      telemetry: {
        ...sample.telemetry,
        durationMs:
          (sample.telemetry?.durationMs as number) * (drifts(sample) ? 1 + sample.block / 20 : 1),
      },
    });
    const { markdown, manifest } = await fixtureReport(wide, { each });
    expect(manifest.counts.recorded).toBe(manifest.counts.planned);
    return {
      reasons: tableRows(markdown, "Observations on the Durations of series"),
      listed: markdown.includes(ofFew) ? tableRows(markdown, ofFew) : [],
    };
  };

  it("is said once where most series show it, with the most that one shows, and none is listed", async () => {
    const { reasons, listed } = await driftingIn(() => true);
    const drift = reasons.find((row) => row.Observation === "the times drift");
    expect(drift?.Series).toMatch(/^(\d+) of \1$/);
    expect(drift?.Most).toContain("drift: the later blocks take");
    expect(listed.filter((row) => row.Observation?.startsWith("drift:"))).toEqual([]);
  });

  it("names the series that it sets apart", async () => {
    const { reasons, listed } = await driftingIn(
      ({ cell, phase }) => cell.id === "python-arm64-128" && phase === "cold",
    );
    const drift = reasons.find((row) => row.Observation === "the times drift");
    expect(drift?.Series).toMatch(/^1 of /);
    expect(listed.filter((row) => row.Observation?.startsWith("drift:"))).toMatchObject([
      { Cell: "python-arm64-128", Phase: "cold" },
    ]);
  });
});

test("a run of one of an experiment's variants has its name in the title", async () => {
  const one: FixtureChoice = { ...choice, variants: ["python"] };
  const { markdown } = await fixtureReport(one, {});
  expect(markdown).toMatch(/^# DynamoDB: Python \(boto3\)$/m);
  expect(whole.markdown).toMatch(/^# DynamoDB: Rust vs\. Python$/m);
});
