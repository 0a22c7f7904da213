import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { calibrate } from "../../bin/commands/calibrate.ts";
import { compare } from "../../bin/commands/compare.ts";
import { report } from "../../bin/commands/report.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Calibration, Machine, Plan } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { calibrationFor, readCalibration } from "../../lib/local/calibration-file.ts";
import type { TwoRuns } from "../../lib/report/two-runs-document.ts";
import { type CapturedOutput, captureOutput } from "../support/captured-output.ts";
import type { Script } from "../support/fake-target.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder();
const at = (...names: readonly string[]) => join(root, ...names);

type Choice = Parameters<typeof smallPlan>[0];

const plan = (runId: string, target: Plan["target"], choice: Choice = {}): Plan => ({
  ...smallPlan({ runId, cold: 8, warm: 40, operations: ["get"], ...choice }),
  target,
});

const machine: Machine = {
  ...{ os: "Linux 6.1", cpuModel: "A processor", cpus: 2, memoryMb: 16_000 },
  ...{ cpuQuota: "cgroup-v2", memoryLimit: "cgroup-v2" },
};

const speed = { schemaVersion: 2, handshakeMs: 0.5, interpreterMs: 10, allocationMs: 10 } as const;

/** All Durations and Inits take so many times as long. */
function slowedBy(times: number): Script {
  return (_, answer) => {
    const { telemetry } = answer;
    if (telemetry === undefined) return answer;
    const { durationMs, initDurationMs } = telemetry;
    const slowed = {
      ...{ ...telemetry, durationMs: times * durationMs },
      ...(initDurationMs !== undefined && { initDurationMs: times * initDurationMs }),
    };
    const billedDurationMs = Math.ceil(slowed.durationMs + (slowed.initDurationMs ?? 0));
    return { ...answer, telemetry: { ...slowed, billedDurationMs } };
  };
}

async function storedRun(folder: string, of: Plan, times: number, manifest = {}): Promise<void> {
  const as = { manifest, kind: of.target };
  await finishedRun(folder, of, slowedBy(times), undefined, as);
}

beforeAll(async () => {
  const aws = { region: "eu-west-1" };
  await storedRun(at("on-aws"), plan("20260103T0000Z-aaaaaa", "aws"), 3, aws);
  await storedRun(at("few"), plan("20260104T0000Z-bbbbbb", "aws", { cold: 2, warm: 10 }), 3, aws);
  const large = plan("20260105T0000Z-cccccc", "aws", { memoryMb: [1024] });
  await storedRun(at("large"), large, 3, aws);
  await storedRun(at("fake"), plan("20260106T0000Z-dddddd", "fake"), 3);
  const here = (runId: string) => plan(runId, "local");
  await storedRun(at("runs", "older"), here("20260101T0000Z-eeeeee"), 1, { machine });
  const newer = { ...here("20260102T0000Z-ffffff"), createdAt: "2026-01-02T00:00:00.000Z" };
  await storedRun(at("runs", "newer"), newer, 1, { machine, speed });
  const elsewhere = { speed, machine: { ...machine, cpuModel: "Another" } };
  const newest = { ...here("20260109T0000Z-abcabc"), createdAt: "2026-01-09T00:00:00.000Z" };
  await storedRun(at("runs", "elsewhere"), newest, 1, elsewhere);
});

let output: CapturedOutput;
let state: string;
beforeEach(() => {
  output = captureOutput();
  state = mkdtempSync(join(root, "state-"));
});

const where = () => ({ state, runs: at("runs"), cpuModel: "A processor" });
const stored = () => readCalibration(state);

describe("kelvin calibrate", () => {
  it("stores what a run on Lambda says beside the newest run of this machine, and shows it", async () => {
    expect(await calibrate(at("on-aws"), {}, where())).toBe(0);
    const calibration = (await stored()) as Calibration;
    expect(calibration).toMatchObject({
      ...{ awsRunId: "20260103T0000Z-aaaaaa", localRunId: "20260102T0000Z-ffffff" },
      ...{ cpuModel: "A processor", region: "eu-west-1", architectures: ["arm64"] },
    });
    expect(calibration.calls).toHaveLength(4);
    for (const { local, lambda } of calibration.calls) {
      expect(lambda.durationMs / local.durationMs).toBeCloseTo(3, 0);
    }
    expect(output.stdout).toContain("Calibrated with 20260103T0000Z-aaaaaa of 2026-01-01 (arm64)");
    expect(output.stdout).toMatch(/^Init, Python: [\d.]+ times as long .* \(1 function, 1 call\)/m);
    expect(output.stdout).toContain("4 calls of 2 functions");
  });

  it("takes the local run that is named", async () => {
    const there = { ...where(), runs: at("none") };
    await calibrate(at("on-aws"), { local: at("runs", "newer") }, there);
    expect((await stored())?.localRunId).toBe("20260102T0000Z-ffffff");
  });

  it("prints it as JSON, and null where there is none", async () => {
    await calibrate(undefined, { show: true, json: true }, where());
    expect(JSON.parse(output.stdout)).toMatchObject({ calibration: null, factors: [] });
    await calibrate(at("on-aws"), {}, where());
    output = captureOutput();
    await calibrate(undefined, { show: true, json: true }, where());
    const { calibration, factors } = JSON.parse(output.stdout);
    expect(validated("calibration", calibration)).toEqual(await stored());
    expect(factors.map(({ part, family }: Record<string, string>) => `${part} ${family}`)).toEqual(
      expect.arrayContaining(["init native", "init python", "first python", "warm native"]),
    );
  });

  it("says that nothing is stored, and forgets what is", async () => {
    await calibrate(undefined, { show: true }, where());
    await calibrate(undefined, { forget: true }, where());
    expect(output.stdout).toMatch(/not calibrated: .*\nnothing to forget/);
    await calibrate(at("on-aws"), {}, where());
    await calibrate(undefined, { forget: true }, where());
    expect(output.stdout).toMatch(/forgotten: /);
    expect(await stored()).toBeUndefined();
  });

  it("says of a stored calibration of another machine that it is not used", async () => {
    await calibrate(at("on-aws"), {}, where());
    await calibrate(undefined, { show: true }, { ...where(), cpuModel: "Another" });
    expect(output.stdout).toContain("not used here: this machine has Another");
    const { calibration, refusal } = await calibrationFor("Another", state);
    expect(calibration).toBeUndefined();
    expect(refusal).toContain("A processor");
    expect((await calibrationFor("A processor", state)).calibration).toEqual(await stored());
  });

  it("stops no run by a file that cannot be read, and is itself stopped by it", async () => {
    writeFileSync(join(state, "calibration.json"), '{"schemaVersion":2}');
    expect(await calibrationFor("A processor", state)).toEqual({
      refusal: expect.stringContaining("calibration.json"),
    });
    const shown = calibrate(undefined, { show: true }, where());
    await expect(shown).rejects.toMatchObject({ name: "InvalidInput" });
  });

  it.each([
    [
      "a local run",
      "runs/newer",
      {},
      "was measured on one machine; calibrate takes a run on Lambda",
    ],
    ["a fake's run", "fake", {}, "was made up by a fake target; calibrate takes a run on Lambda"],
    [
      "a run on Lambda as the local one",
      "on-aws",
      { local: "large" },
      "--local takes a run of kelvin local",
    ],
    [
      "a run of another machine",
      "on-aws",
      { local: "runs/elsewhere" },
      "was measured on Another, and this machine has A processor",
    ],
    ["sizes that were not measured here", "large", {}, "no local run in "],
    [
      "sizes that the named run lacks",
      "large",
      { local: "runs/newer" },
      "rust 1024 MB, python 1024 MB (get) against dynamodb: rust 128 MB",
    ],
    [
      "a local run of unknown speed",
      "on-aws",
      { local: "runs/older" },
      "did not store how fast its machine is",
    ],
    ["too few environments", "few", {}, "none has a 95% CI in both"],
  ] as const)("refuses %s", async (_, folder, words, sentence) => {
    const local = "local" in words ? { local: at(words.local) } : {};
    await expect(calibrate(at(folder), local, where())).rejects.toMatchObject({
      name: "InvalidInput",
      message: expect.stringContaining(sentence),
    });
    expect(existsSync(join(state, "calibration.json"))).toBe(false);
  });
});

it("the report of a calibrated local run has narrower ranges that moved, and names the calibration", async () => {
  await calibrate(at("on-aws"), {}, where());
  const calibration = await stored();
  const of = plan("20260110T0000Z-bcbcbc", "local");
  const ranges = async (name: string, described: object) => {
    await storedRun(at(name), of, 1, { machine, speed, ...described });
    await report(at(name), { markdown: at("unused.md") }).catch(() => undefined);
    const view = JSON.parse(readFileSync(at(name, "summary.json"), "utf8")) as Summary;
    return { ...view.onLambda, page: readFileSync(at(name, "report-full.md"), "utf8") };
  };
  const plain = await ranges("plain", {});
  const calibrated = await ranges("calibrated", { calibration });
  const [before, after] = [plain, calibrated].map(({ times = [] }) =>
    times.find(({ phase, cellId }) => phase === "warm" && cellId.startsWith("python")),
  );
  expect(after?.durationMs.expected).toBeGreaterThan(1.3 * (before?.durationMs.expected ?? 0));
  const width = (of: typeof after) => (of?.durationMs.high ?? 0) / (of?.durationMs.low ?? 1);
  expect(width(after)).toBeLessThan(width(before));
  expect(plain.calibration).toBeUndefined();
  expect(calibrated.calibration).toMatchObject({
    awsRunId: "20260103T0000Z-aaaaaa",
    architectures: ["arm64"],
    isPartial: false,
  });
  expect(calibrated.page.replaceAll(/\s+/g, " ")).toMatch(
    /\(90% ranges( of means)?, calibrated with 20260103T0000Z-aaaaaa of 2026-01-01 \(arm64\)\)/,
  );
  expect(calibrated.page).toMatch(/\| Calibrated with +\| 20260103T0000Z-aaaaaa of 2026-01-01/);
  expect(plain.page).not.toContain("alibrated with");
});

describe("the change between two local runs", () => {
  const changes = async (before: string, after: string) => {
    output = captureOutput();
    await compare(before, after, { margin: 0.05, json: true });
    return (JSON.parse(output.stdout) as TwoRuns).changes;
  };

  it("has a range on Lambda for cold starts and warm calls, around what was measured here", async () => {
    const found = await changes(at("runs", "newer"), at("runs", "newer"));
    const ranged = found.filter(({ onLambda }) => onLambda !== undefined);
    expect(new Set(ranged.map(({ phase, quantity }) => `${phase} ${quantity}`))).toEqual(
      new Set(["cold initAndDurationMs", "warm durationMs"]),
    );
    for (const { ratio = 0, onLambda } of ranged) {
      expect(onLambda?.low).toBeLessThan(ratio);
      expect(onLambda?.high).toBeGreaterThan(ratio);
    }
  });

  it("has none between runs on Lambda", async () => {
    const found = await changes(at("on-aws"), at("on-aws"));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ onLambda }) => onLambda !== undefined)).toEqual([]);
  });
});
