import { describe, expect, it } from "vitest";
import type { CellFailure, Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { callUsd } from "../../lib/cost/invocation-cost.ts";
import { publishedPrices as prices } from "../../lib/cost/prices.ts";
import { awsRunModel } from "../../lib/cost/run-model.ts";
import { firstBlocks } from "../../lib/plan/blocks.ts";
import { driverMemoryMb } from "../../lib/plan/driver-size.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import { formatReport } from "../support/report-line.ts";
import { execute, file, portsFor, reportFile, stored } from "../support/state-machine.ts";
import { coldOnly, twoSizes } from "../support/two-sizes-run.ts";

const where = { region: "us-east-1", prices };
const cells = { ...coldOnly, variants: ["rust", "python"], memoryMb: 128 };
const driver = { architecture: "arm64", memoryMb: driverMemoryMb.measure } as const;
const measured = { architecture: "arm64", memoryMb: 128 } as const;
const largest = { architecture: "arm64", memoryMb: 512 } as const;
const usdOf = (of: typeof measured | typeof largest | typeof driver, ms: number) =>
  callUsd(of, ms, where) ?? Number.NaN;
/** A call, and its driver's time. */
const ofCall = (ms: number, of: typeof measured | typeof largest = measured) =>
  usdOf(of, ms) + usdOf(driver, ms);

interface Calls {
  /** Billed Duration of the n-th call; undefined: its log has no report. */
  readonly billedMs: (call: number, memoryMb: number) => number | undefined;
  /** How long it takes by the driver's clock. @default as long as is billed */
  readonly tookMs?: number;
  /** Looks at the log that come before its reports. @default none */
  readonly looksBehind?: number;
}

/** A run of calls as a test has them, and what its functions and the drivers of its trials were billed for. */
async function spending(
  input: object,
  { billedMs, tookMs, looksBehind = 0 }: Calls,
  failing?: number,
) {
  let [calls, trials, callsUsd] = [0, 0, 0];
  const ports: FakeAws = portsFor(twoSizes, {
    looksBehind,
    onInvoke: ({ name, requestId, invocation }, answer) => {
      const of = name.includes("512") ? largest : measured;
      const billed = billedMs(calls, of.memoryMb);
      calls += 1;
      ports.clock.ms += tookMs ?? billed ?? 0;
      callsUsd += usdOf(of, billed ?? 30_000);
      const init = invocation === 0 ? { initDurationMs: 1 } : {};
      const times = { durationMs: (billed ?? 0) - (invocation === 0 ? 1 : 0), ...init };
      const telemetry = { ...times, billedDurationMs: billed ?? 0, memorySizeMb: of.memoryMb };
      const log = formatReport(requestId, { ...telemetry, maxMemoryUsedMb: 30 });
      return { ...answer, log: billed === undefined ? "" : log };
    },
  });
  const startMs = ports.clock.ms;
  const execution = await execute(twoSizes, ports, input, (handler) => {
    if (handler === "DrivermeasureFunction" && ++trials === failing) throw new Error("crashed");
  });
  const driversUsd = usdOf(driver, ports.clock.ms - startMs);
  return { ...execution, ports, calls, spentUsd: callsUsd + driversUsd };
}

type Run = Awaited<ReturnType<typeof spending>>;

/** What the estimate of the blocks that were made has for everything but the functions and the drivers of trials. */
function fixedUsd({ ports }: Run): number {
  const made = firstBlocks(file<Plan>(ports, "plan.json"), blocksOf({ ports }));
  const run = estimateRun(made, where);
  if (run.kind !== "estimated") throw new Error(run.kind);
  return run.estimate.costUsd - run.parts.functionsUsd - run.parts.driverUsd;
}
const blocksOf = ({ ports }: Pick<Run, "ports">) =>
  new Set(stored<Sample>(ports, "samples").map(({ block }) => block)).size;
const manifestOf = ({ ports }: Run) => file<Manifest>(ports, "manifest.json");
const quick = { billedMs: () => 150 };
const slow = { billedMs: () => 20_000 };

describe("maxCostUsd", () => {
  it("changes nothing of a run that costs no more than is estimated", async () => {
    const run = await spending({ ...cells, cold: 3, maxCostUsd: 0.01 }, quick);
    expect(run.end).toMatchObject({ status: "SUCCEEDED", output: { status: "complete" } });
    expect(blocksOf(run)).toBe(3);
    expect(manifestOf(run)).not.toHaveProperty("endedEarly");
  });

  it("ends a run of calls that take longer than expected before it costs more, by at most one call a lane", async () => {
    const lanes = 3;
    const maxCostUsd = 0.008;
    const run = await spending({ ...cells, cold: 12, lanes, maxCostUsd }, slow);
    expect(run.end).toMatchObject({ status: "SUCCEEDED", output: { status: "partial" } });
    const overUsd = fixedUsd(run) + run.spentUsd - maxCostUsd;
    expect(overUsd).toBeLessThanOrEqual(lanes * ofCall(20_000));
    const blocks = blocksOf(run);
    expect(blocks).toBeGreaterThan(1);
    expect(manifestOf(run)).toMatchObject({
      status: "partial",
      endedEarly: `The cap of $0.008 (maxCostUsd) ended it after ${blocks} of 12 blocks: another block could have passed it`,
    });
    const [, sentence] =
      /(The cap of .*?\.) /.exec(reportFile(run.ports, "report.md").replaceAll(/\s+/g, " ")) ?? [];
    expect(sentence).toContain(`after ${blocks} of 12 blocks`);
    expect(run.history.filter((state) => state === "Restore")).toHaveLength(1);
  });

  it.each([1, 3])(
    "ends trials within their calls where they become dearer than those before the first block; lanes: %d",
    async (lanes) => {
      const tries = 24;
      const billedMs = (call: number) => (call < tries ? 10 : 29_000);
      const maxCostUsd = 0.03;
      const input = { ...coldOnly, warm: 40, lanes, maxCostUsd };
      const run = await spending(input, { billedMs });
      const overUsd = fixedUsd(run) + run.spentUsd - maxCostUsd;
      expect(overUsd).toBeLessThanOrEqual(lanes * ofCall(29_000, largest));
      const failures = stored<CellFailure>(run.ports, "failures");
      expect(new Set(failures.map(({ type }) => type))).toEqual(new Set(["CostCapReached"]));
      expect(run.end).toMatchObject({ output: { status: "partial" } });
    },
  );

  it("makes every block of cells whose trials differ in cost if the cap allows what they cost", async () => {
    const input = { ...coldOnly, cold: 4, lanes: 1 };
    const billedMs = (_: number, memoryMb: number) => (memoryMb === largest.memoryMb ? 9_000 : 90);
    const uncapped = await spending(input, { billedMs });
    const { costUsd = 0 } = manifestOf(uncapped);
    expect(costUsd).toBeGreaterThan(0);
    // Six trials of a block follow others in the lane, and each could end with a call until its timeout.
    const maxCostUsd = 1.02 * costUsd + 6 * ofCall(30_000, largest);
    const capped = await spending({ ...input, maxCostUsd }, { billedMs });
    expect(manifestOf(capped)).toMatchObject({ status: "complete" });
    expect(blocksOf(capped)).toBe(4);
  });

  it("states in the manifest what the run has cost, with or without a cap", async () => {
    const run = await spending({ ...cells, cold: 3 }, quick);
    const { costUsd = 0 } = manifestOf(run);
    const overheadUsd = usdOf(driver, awsRunModel.trialOverheadMs);
    expect(costUsd).toBeGreaterThan(0);
    expect(costUsd / (fixedUsd(run) + run.spentUsd + 6 * overheadUsd)).toBeCloseTo(1, 1);
  });

  it("takes a call without a report for one that took until its timeout, and a crashed driver for one that spent its share", async () => {
    const maxCostUsd = 0.008;
    const few = { ...cells, cold: 12, maxCostUsd };
    const unreported = await spending(few, {
      ...{ billedMs: () => undefined, tookMs: 10, looksBehind: 1_000 },
    });
    expect(fixedUsd(unreported) + unreported.spentUsd).toBeLessThanOrEqual(maxCostUsd);
    expect(blocksOf(unreported)).toBeLessThan(12);
    const crashed = await spending(few, quick, 1);
    // Three cells, of which each had a third of what was left.
    expect(manifestOf(crashed).costUsd).toBeGreaterThan(maxCostUsd / 4);
  });

  it("ends a run with a stopping rule as its other limits do: it is complete, and the report names the cap", async () => {
    const rule = { untilPrecision: "0.1%", maxMinutes: 10_000, maxCostUsd: 0.015 };
    const billedMs = (call: number) => 10_000 + 5_000 * (call % 2);
    const run = await spending({ ...cells, cold: 9, ...rule }, { billedMs });
    const { status, stopping } = manifestOf(run);
    expect({ status, stopping }).toMatchObject({
      status: "complete",
      stopping: { endedBy: "maxCostUsd", blocks: blocksOf(run) },
    });
    expect(blocksOf(run)).toBeGreaterThan(9);
    expect(fixedUsd(run) + run.spentUsd).toBeLessThanOrEqual(0.015);
  });
});
