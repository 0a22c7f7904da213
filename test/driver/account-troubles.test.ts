import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CellFailure, Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import type { FakeAnswer, FakeCall } from "../support/fake-aws/fake-lambda.ts";
import { nothingYet } from "../support/fake-aws/fake-logs.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import {
  execute,
  file,
  invocations,
  portsFor,
  reportFile,
  stored,
} from "../support/state-machine.ts";
import { run, small, twoSizes } from "../support/two-sizes-run.ts";

const throttled = jsonError(429, "TooManyRequestsException", "Rate Exceeded.");
const isOf = (name: string, cellId: string) =>
  name.startsWith(`dynamodb${cellId.replaceAll("-", "")}`);
const samplesOf = (ports: FakeAws, cellId: string) =>
  stored<Sample>(ports, "samples").filter(({ cell }) => cell.id === cellId);
/** A cold and a second call, and four of each of four operations. */
const samplesATrial = 18;
const python = "python-arm64-128";
const otherPython = "python-arm64-512";
const pythons = { ...small, variants: ["python"], warm: 8 };
const oneCell = { ...pythons, memoryMb: 128 };

describe("throttling", () => {
  it("of the control plane is waited out, and is told by the cold sample, the manifest and the report", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.01);
    const { end, ports } = await run(
      { ...pythons, warm: 0 },
      { onUpdate: (name, n) => (isOf(name, python) && n <= 2 ? throttled : undefined) },
    );
    expect(end.status).toBe("SUCCEEDED");
    const cold = stored<Sample>(ports, "samples").filter(({ phase }) => phase === "cold");
    const told = cold.filter(({ forcedCold }) => forcedCold?.throttledCalls !== 0);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ cell: { id: python }, forcedCold: { throttledCalls: 2 } });
    expect(told[0]?.forcedCold?.waitedMs).toBeGreaterThan(20);
    const manifest = file<Manifest>(ports, "manifest.json");
    expect(manifest.counts.throttledCalls).toBe(2);
    expect(manifest.counts.recorded).toBe(manifest.counts.planned);
    const rows = tableRows(reportFile(ports), "Samples by cell");
    expect(rowWith(rows, { Cell: python })["Throttled calls"]).toBe("2");
    expect(rowWith(rows, { Cell: otherPython })["Throttled calls"]).toBe("0");
  });

  it("is not met by functions that answer at once, in a new account as in another", async () => {
    const { ports } = await run(oneCell, { concurrency: 10 });
    const { counts } = file<Manifest>(ports, "manifest.json");
    expect(counts.recorded).toBe(counts.planned);
    expect(stored<Sample>(ports, "samples").some(({ error }) => error !== undefined)).toBe(false);
  });

  it("of a measured call is one error sample, and the call is not made again", async () => {
    const { ports } = await run(oneCell, {
      onInvoke: ({ name, boot, invocation }, answer) =>
        isOf(name, python) && boot === 1 && invocation === 5 ? throttled : answer,
    });
    const errors = stored<Sample>(ports, "samples").filter(({ error }) => error !== undefined);
    expect(errors).toMatchObject([
      { sequence: 5, error: { type: "TooManyRequestsException" }, rejected: { reason: "error" } },
    ]);
    // Each trial is one call more, which is no sample; so is one with each event before the first block.
    const { blocks } = file<Plan>(ports, "plan.json");
    const trials = blocks.flatMap((block) => block.trials).length;
    const planned = plannedSamples(file(ports, "plan.json"));
    expect(invocations(ports)).toHaveLength(4 + planned + trials);
    expect(ports.fakeLambda.logs.looks).toEqual([]);
  });
});

describe("an environment that had been called before its cold call", () => {
  const used = ({ name, boot, invocation }: FakeCall, answer: FakeAnswer): FakeAnswer => {
    const isUsed = isOf(name, python) && boot === 1 && invocation === 0;
    const payload = { ...(answer.payload as object), invocation: 7, coldStart: false };
    return isUsed ? { ...answer, payload } : answer;
  };

  it("is kept in a file of its own, and the trial is made in another one, forced cold again", async () => {
    const { end, ports } = await run(oneCell, { onInvoke: used });
    expect(end.status).toBe("SUCCEEDED");
    const files = ports.fakeS3.keys("runs/").filter((key) => key.includes(`samples/${python}/`));
    // Of a trial's parts, the first.
    const firsts = files.filter((key) => !/_\d+\.jsonl$/.test(key));
    expect(firsts.map((key) => key.split("/").at(-1))).toEqual([
      ...["0000.1.jsonl", "0000.jsonl", "0001.jsonl"],
    ]);
    const samples = samplesOf(ports, python);
    expect(samples).toHaveLength(1 + 2 * samplesATrial);
    const rejected = samples.filter((sample) => sample.rejected?.reason === "boot-id-reused");
    expect(rejected).toMatchObject([{ block: 0, sequence: 0, phase: "cold" }]);
    const cold = samples.filter(({ phase, rejected }) => phase === "cold" && !rejected);
    expect(cold.map(({ block, attempt }) => [block, attempt])).toEqual([
      [0, 1],
      [1, undefined],
    ]);
    expect(stored<CellFailure>(ports, "failures")).toEqual([]);
  });

  it("is forced cold again by the next driver where the first one's time is over by then", async () => {
    const ports = portsFor(twoSizes, {
      onInvoke: (call, answer) => {
        const isFirst = call.boot === 1 && call.invocation === 0;
        if (isFirst) ports.clock.ms += 14 * 60_000;
        return used(call, answer);
      },
    });
    const { end } = await execute(twoSizes, ports, { ...oneCell, cold: 1, warm: 4 });
    expect(end.status).toBe("SUCCEEDED");
    expect(stored<CellFailure>(ports, "failures")).toEqual([]);
    const { counts } = file<Manifest>(ports, "manifest.json");
    expect(counts.recorded).toBe(1 + counts.planned);
    expect(counts.rejected).toMatchObject({ "boot-id-reused": 1 });
  });
});

it("an update that ends in Failed fails its trial with Lambda's reason, and no call is made", async () => {
  const broken = {
    LastUpdateStatus: "Failed",
    LastUpdateStatusReasonCode: "InternalError",
    LastUpdateStatusReason: "it broke",
  };
  const failed = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ Configuration: broken }),
  };
  const { end, ports } = await run(
    { ...pythons, warm: 0 },
    { onGet: (name, n) => (isOf(name, python) && n === 2 ? failed : undefined) },
  );
  expect(end.status).toBe("SUCCEEDED");
  const [failure, ...others] = stored<CellFailure>(ports, "failures");
  expect(others).toEqual([]);
  expect(failure).toMatchObject({ cellId: python, block: 0, type: "UpdateFailed" });
  expect(failure?.message).toMatch(/LastUpdateStatus is Failed \(InternalError: it broke\)$/);
  expect(samplesOf(ports, python).every(({ block }) => block === 1)).toBe(true);
});

describe("a function that times out at 128 MB", () => {
  const timesOut = ({ name, requestId }: FakeCall, answer: FakeAnswer): FakeAnswer => {
    if (!isOf(name, python)) return answer;
    const errorMessage = `RequestId: ${requestId} Error: Task timed out after 30.00 seconds`;
    const report = `REPORT RequestId: ${requestId}\tDuration: 30000.00 ms\tBilled Duration: 30000 ms\tMemory Size: 128 MB\tMax Memory Used: 128 MB\tStatus: timeout\t`;
    return {
      payload: { errorType: "Sandbox.Timedout", errorMessage },
      functionError: "Unhandled",
      log: `${report}\n2026-01-01T00:00:00.000Z ${requestId} Task timed out after 30.00 seconds\n\n`,
    };
  };

  it("is recorded with its error and its telemetry, once a trial, and the other cells finish", async () => {
    const { end, ports } = await run(pythons, { onInvoke: timesOut });
    expect(end.status).toBe("SUCCEEDED");
    const samples = samplesOf(ports, python);
    expect(samples).toHaveLength(2);
    for (const sample of samples) {
      expect(sample).toMatchObject({
        phase: "cold",
        error: { type: "Sandbox.Timedout", message: expect.stringContaining("Task timed out") },
        telemetry: { durationMs: 30_000, billedDurationMs: 30_000, status: "timeout" },
        rejected: { reason: "error" },
      });
    }
    expect(stored<CellFailure>(ports, "failures")).toMatchObject([
      { cellId: python, block: 0, type: "Sandbox.Timedout" },
      { cellId: python, block: 1, type: "Sandbox.Timedout" },
    ]);
    expect(samplesOf(ports, otherPython)).toHaveLength(2 * samplesATrial);
  });
});

describe("a log tail without its REPORT", () => {
  const chatty = ({ name }: FakeCall, answer: FakeAnswer): FakeAnswer =>
    isOf(name, python) ? { ...answer, log: "Duration: 9999.00 ms\n".repeat(200) } : answer;
  let chattyRun: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    chattyRun = await run(oneCell, { onInvoke: chatty });
  });
  const silent = ({ name }: FakeCall, answer: FakeAnswer): FakeAnswer =>
    isOf(name, python) ? { ...answer, log: "" } : answer;

  it("has its telemetry from CloudWatch Logs, flagged, and counts like any other", async () => {
    const { end, ports } = chattyRun;
    expect(end.status).toBe("SUCCEEDED");
    const samples = samplesOf(ports, python);
    expect(samples).toHaveLength(2 * samplesATrial);
    for (const { flags, telemetry, phase, rejected } of samples) {
      expect(flags).toEqual(["log-truncated", "telemetry-from-logs"]);
      expect(telemetry?.durationMs).toBe(phase === "cold" ? 50 : 5);
      expect([undefined, "warm-up"]).toContain(rejected?.reason);
    }
    const flags = tableRows(reportFile(ports), "Flagged samples");
    expect(rowWith(flags, { Flag: "`telemetry-from-logs`" })).toMatchObject({
      Cold: "2",
      Second: "2",
      Warm: String(2 * (samplesATrial - 2)),
    });
  });

  it("whose REPORT never comes is kept and rejected, after as many looks as a trial may have", async () => {
    const { end, ports } = await run(pythons, { onInvoke: silent, onLook: () => nothingYet });
    expect(end.status).toBe("SUCCEEDED");
    const samples = samplesOf(ports, python);
    expect(samples).toHaveLength(2 * samplesATrial);
    for (const sample of samples) {
      expect(sample.rejected).toMatchObject({
        reason: "telemetry-missing",
        detail: expect.stringMatching(/^not in .* at 3 looks$/),
      });
      expect(sample.result).toBeDefined();
      expect(sample).not.toHaveProperty("telemetry");
    }
    const looksATrial = 3 * Math.ceil(samplesATrial / 16);
    expect(ports.fakeLambda.logs.looks).toHaveLength(2 * looksATrial);
    const { counts } = file<Manifest>(ports, "manifest.json");
    expect(counts.rejected).toMatchObject({ "telemetry-missing": 2 * samplesATrial });
    expect(samplesOf(ports, otherPython)).toHaveLength(2 * samplesATrial);
  });

  it("is looked for after the trial's calls, so that none of them waits", () => {
    const { ports } = chattyRun;
    const [functionName = ""] = [...ports.fakeLambda.functions.keys()].filter((name) =>
      isOf(name, python),
    );
    const { requests } = ports.fakeLambda;
    const asked = requests.filter((request) => request.endsWith(` ${functionName}`));
    // The samples, and the environment's description.
    const callsATrial = samplesATrial + 1;
    const begun = asked.findIndex((request) => request.startsWith("Update")) + 2;
    const firstTrial = asked.slice(begun, begun + callsATrial);
    expect(new Set(firstTrial)).toEqual(new Set([`Invoke ${functionName}`]));
    expect(asked[begun + callsATrial]).toBe(`GetFunction ${functionName}`);
  });
});
