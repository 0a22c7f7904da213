import { rmSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { measure } from "../../bin/commands/measure.ts";
import { functionsFile } from "../../bin/run/measure-choice.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type {
  FunctionResult,
  Plan,
  Sample,
  StoppingLook,
} from "../../lib/contract/types/contract.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import type { Script } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";
import { folderPerTest } from "../support/temporary-folder.ts";
import { reportWithLook, runWithLooks } from "./support/run-with-looks.ts";

const directory = folderPerTest();
let said: string[];
beforeEach(() => {
  said = [];
});

const sizeChoice = { coldShare: 0.01, gbSecondUsd: 0.0000133334, requestUsd: 0.0000002 };
/** The fake's calls are a second apart. */
const stopping = { untilPrecision: 0.1, sizeChoice, maxMinutes: 600 };
/** Four sizes, two calls and an operation's eight in each environment. */
const callsOfBlock = 4 * (2 + 8);
const sizes = { cold: 6, warm: 48, variants: ["python"], memoryMb: [128, 256, 512, 1024] };

/** By default of one operation, which is what sizes are judged by. */
function planOf(choice: Parameters<typeof smallPlan>[0] = { operations: ["get"] }): Plan {
  const plan = smallPlan({ ...sizes, stopping, ...choice });
  const cells = plan.cells.filter(({ replicaOf }) => replicaOf === undefined);
  const ids = new Set(cells.map(({ id }) => id));
  const blocks = plan.blocks.map(({ index, trials }) => ({
    index,
    trials: trials.filter(({ cellId }) => ids.has(cellId)),
  }));
  return { ...plan, cells, blocks };
}

/**
 * 400 ms of waiting and some computing: 128 MB is by far the cheapest; 512 and 1,024 MB take about as
 * long, and 256 MB is neither. What environments differ by depends on the cell and its boot alone.
 */
const ms: Readonly<Record<number, number>> = { 128: 900, 256: 1000, 512: 500, 1024: 490 };
const noisy =
  (by: number, bootsBefore = 0): Script =>
  ({ cell, boot }, { telemetry, payload, ...answer }) => {
    const random = new SeededRandom(cell.memoryMb + 104_729 * (boot + bootsBefore));
    const factor = 1 + by * (random.nextUint32() / 2 ** 32 - 0.5);
    const durationMs = (ms[cell.memoryMb] ?? 0) * factor;
    if (telemetry === undefined) return answer;
    const result = payload as FunctionResult;
    return {
      ...answer,
      payload: { ...result, bootId: `${result.bootId}-after-${bootsBefore}` },
      telemetry: { ...telemetry, durationMs, billedDurationMs: Math.ceil(durationMs) },
    };
  };

interface Execution {
  readonly of?: Plan;
  readonly script?: Script;
  /** Samples after which it is interrupted. */
  readonly stopAfter?: number;
}

async function execute({ of = planOf(), script = noisy(0.2), stopAfter }: Execution = {}) {
  const choice = { directory: directory(), said, of, script, stopAfter };
  const { samples, ...ended } = await runWithLooks(choice);
  return { ...ended, environments: environmentsIn(samples) };
}

/** By memory size. */
function environmentsIn(samples: readonly Sample[]): Readonly<Record<string, number>> {
  const cold = samples.filter(({ phase }) => phase === "cold");
  return Object.fromEntries(
    sizes.memoryMb.map((size) => [size, cold.filter(({ cell }) => cell.memoryMb === size).length]),
  );
}

/** After how many environments the run said that it had dropped 256 MB. */
const droppedAt = () => Number(/^256 MB dropped after (\d+) env/m.exec(said.join("\n"))?.[1] ?? 0);

const reportOf = (of: Plan, look: StoppingLook | undefined, status: "complete" | "partial") =>
  reportWithLook(directory(), of, look, status);

describe("a run that chooses memory sizes", () => {
  it("drops a size that is none of those to choose, and ends when all three are chosen", async () => {
    const { end, look, environments } = await execute();
    expect(end).toBe("complete");
    expect(look).toMatchObject({ ratios: 3, wide: 0, endedBy: "precision" });
    expect(environments["256"]).toBeLessThan(environments["1024"] ?? 0);
    expect(said).toContainEqual(expect.stringMatching(/^256 MB dropped after \d+ environments: /));
    expect(said.at(-1)).toMatch(/^\d+ environments per size: all 3 picks are decided$/);
  });

  it("answers with them, says what was dropped and why, and misses no sample of it", async () => {
    const of = planOf();
    const { look, environments } = await execute({ of });
    const { summary, brief, full } = await reportOf(of, look, "complete");
    const chosen = summary.sizeChoices?.variants[0]?.races.map(({ name, chosen }) => [
      name,
      Number(chosen?.id.split("-").at(-1)),
    ]);
    expect(Object.fromEntries(chosen ?? [])).toEqual({
      ...{ cheapest: 128, fastest: 512, balanced: 128 },
    });
    expect(full).toMatch(
      /is cheapest at 128 MB \(\\?\$[\d.]+ \[[\d.]+, [\d.]+\] per million calls\), fastest at 512 MB \(\d+ \[\d+, \d+\] ms per warm call\) and balanced at 128 MB\./,
    );
    const { planned, recorded } = summary.manifest.counts;
    expect(planned).toBe(recorded);
    expect(summary.sizeChoices?.calls).toBe(recorded);
    const ofAll = Math.max(...Object.values(environments)) * 4;
    const all = Object.values(environments).reduce((sum, each) => sum + each, 0);
    expect(summary.sizeChoices?.callsOfAll).toBe((recorded / all) * ofAll);
    expect(full).toContain("Sizes that were dropped before the end of the run.");
    expect(full).toMatch(
      /Stopped once every pick was decided:\** after \d+ environments per size, all 3 are known/,
    );
    expect(brief).not.toContain("INCOMPLETE");
    const { fastest } = summary.recommendation?.variants[0] ?? {};
    expect(fastest).toMatchObject({ kind: "decided", cell: { memoryMb: 512 } });
  });

  it("names those that are left, with their ratio, where its samples are spent", async () => {
    // Of all four operations: a budget is counted by the samples of all.
    const of = planOf({ stopping: { ...stopping, maxSamples: 1200 } });
    const { look } = await execute({ of, script: noisy(1.8) });
    expect(look).toMatchObject({ endedBy: "maxSamples" });
    const { summary, brief, full } = await reportOf(of, look, "complete");
    expect(summary.manifest.counts.recorded).toBeLessThanOrEqual(1200);
    expect(brief).toContain("Stopped at the sample limit (1,200), before every pick was decided:");
    expect(full).toMatch(
      /No clear winner for the fastest size of .* between .*512 and 1,024 MB; [\d,]+ MB takes [\d.]+ \[[\d.]+, [\d.]+\] times as long as/,
    );
  });

  it("that was interrupted goes on without the size that it had dropped, and with all before", async () => {
    await execute();
    const dropAt = droppedAt();
    for (const blocks of [dropAt - 2, dropAt]) {
      rmSync(directory(), { recursive: true });
      said = [];
      const first = await execute({ stopAfter: blocks * callsOfBlock + 3 });
      expect(first.end).toBe("interrupted");
      const resumed = await execute({ script: noisy(0.2, 100) });
      expect(resumed.look).toMatchObject({ endedBy: "precision" });
      expect(resumed.environments["1024"]).toBeGreaterThan(dropAt);
      if (blocks === dropAt) expect(resumed.environments["256"]).toBe(dropAt);
      expect(
        said.filter((line) => line.startsWith(`${dropAt} environments per size: `)),
      ).toHaveLength(1);
    }
  });

  it("reports a run that was stopped as partial, with what was dropped so far not missing", async () => {
    const of = planOf();
    await execute({ of });
    const dropAt = droppedAt();
    rmSync(directory(), { recursive: true });
    const { end, look } = await execute({ of, stopAfter: dropAt * callsOfBlock + 3 });
    expect(end).toBe("interrupted");
    const { summary } = await reportOf(of, look, "partial");
    const { planned, recorded } = summary.manifest.counts;
    expect(recorded).toBe(dropAt * callsOfBlock + 3);
    expect(recorded).toBeLessThan(planned);
    expect(planned).toBeLessThan((dropAt + 1) * callsOfBlock);
  });
});

describe("a run that chooses memory sizes within limits", () => {
  /** A plan as measure makes it: the limits are the run's and those that its sizes stay for. */
  function limited(...texts: readonly string[]): Plan {
    const of = planOf();
    const limits = texts.map(parseLimit);
    const { stopping: rule } = of;
    if (rule === undefined) throw new Error("the plan has no rule");
    return { ...of, limits, stopping: { ...rule, sizeChoice: { ...sizeChoice, limits } } };
  }

  it("measures every size on until a P95 has its bound, although none needs it for its choice", async () => {
    const of = limited("cold.p95 < 100 s");
    const { look, environments } = await execute({ of });
    expect(environments).toEqual({ 128: 59, 256: 59, 512: 59, 1024: 59 });
    expect(look).toMatchObject({ blocks: 59, endedBy: "precision" });
    expect(said.join("\n")).toMatch(
      /picks are decided; 4 sizes are measured further for a limit; next check at \d+$/m,
    );
    const { summary, brief } = await reportOf(of, look, "complete");
    expect(summary.limits?.map(({ verdict }) => verdict)).toEqual(["met", "met", "met", "met"]);
    expect(brief).toMatch(/Within the limits:\** the cheapest size of .* is 128 MB \(/);
  });

  it("names the cheapest size that is within them, where the cheapest of all is not", async () => {
    const of = limited("warm.mean < 700 ms");
    const { look } = await execute({ of });
    expect(look).toMatchObject({ endedBy: "precision" });
    const { summary, brief } = await reportOf(of, look, "complete");
    const verdicts = summary.limits?.map(({ cell, verdict }) => [cell.memoryMb, verdict]);
    expect(Object.fromEntries(verdicts ?? [])).toEqual({
      ...{ 128: "missed", 256: "missed", 512: "met", 1024: "met" },
    });
    expect(brief).toMatch(/cheapest at 128 MB/);
    expect(brief).toMatch(/Within the limits:\** the cheapest size of .* is 512 MB \(/);
  });

  it("drops a size whose P95 misses its limit by far before it has the bound", async () => {
    const of = limited("cold.p95 < 200 ms");
    const { environments } = await execute({ of });
    expect(environments["256"]).toBeLessThan(59);
    expect(environments["1024"]).toBeLessThan(59);
  });

  it("judges other limits of a report by the same samples, as what was dropped stands in the plan", async () => {
    const of = planOf();
    const { look, environments } = await execute({ of });
    const other = { ...of, limits: [parseLimit("cold.p95 < 100 s")] };
    const { summary } = await reportOf(other, look, "complete");
    const { planned, recorded } = summary.manifest.counts;
    expect(planned).toBe(recorded);
    const judged = summary.limits?.map(({ cell, verdict, environments: n }) => [
      ...[cell.memoryMb, verdict, n],
    ]);
    expect(judged).toContainEqual([256, "undecided", environments["256"]]);
  });
});

describe("--memory auto", () => {
  it("chooses nothing in a run that ended before its first look", async () => {
    const of = planOf();
    const { look } = await execute({ of, stopAfter: 3 * callsOfBlock });
    const { brief, full } = await reportOf(of, look, "partial");
    expect(full).toContain("is chosen: the run ended before it compared any.");
    expect(brief).not.toContain("No clear winner");
  });

  it("chooses from six sizes", () => {
    const folder = directory("function");
    writeFileSync(directory("event.json"), "{}");
    expect(functionsFile([folder], { memory: "auto" }).memoryMb).toEqual([
      128, 256, 512, 1024, 1769, 3008,
    ]);
  });

  it("is no size of a functions file, which says where it works", () => {
    const path = directory("functions.json");
    const file = {
      ...{ schemaVersion: 1, functions: [{ name: "one", artefact: "one.zip" }] },
      ...{ memoryMb: "auto", events: [{ name: "get", payload: {} }] },
    };
    writeFileSync(path, JSON.stringify(file));
    expect(() => functionsFile([], { functions: path })).toThrow(
      /memoryMb: found "auto"; allowed: .*kelvin measure --memory auto, on this machine/,
    );
  });

  it.each([
    [{ failOn: "slower" }, "fail-on: found"],
    [{ preset: "standard" }, "preset: found"],
  ] as const)("is refused with %o", async (words, problem) => {
    const all = { preset: "quick", memory: "auto", ...words } as const;
    await expect(measure(["function.zip"], all)).rejects.toThrow(problem);
  });
});
