import { describe, expect, it, vi } from "vitest";
import { measure } from "../../lambdas/driver/measure.ts";
import { tryFunctions } from "../../lambdas/driver/try-functions.ts";
import { measuringLambdaClient } from "../../lib/aws/clients.ts";
import type { CellFailure, Plan, Sample } from "../../lib/contract/types/contract.ts";
import type { MeasureRequest, TryRequest } from "../../lib/run/messages.ts";
import { ExecutionStopped } from "../support/asl-interpreter.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import { configFor, type FakeRequest, jsonError } from "../support/fake-aws/http.ts";
import {
  deployedEnvironment,
  execute,
  executionArn,
  failing,
  file,
  portsFor,
  redrive,
  stoppedAt,
  stored,
} from "../support/state-machine.ts";
import { oneTrial, twoSizes } from "../support/two-sizes-run.ts";

const oneCell = { ...oneTrial, cold: 2 };
const withWarmCalls = { ...oneCell, warm: 8 };
const driverMs = 15 * 60_000;

/** A run that a person stops when its n-th trial is to begin. */
async function stoppedExecution(ports: FakeAws, trial: number, input = oneCell) {
  const requests: MeasureRequest[] = [];
  const execution = await execute(twoSizes, ports, input, (handler, payload) => {
    if (handler !== "DrivermeasureFunction") return;
    requests.push(payload as unknown as MeasureRequest);
    if (requests.length === trial) throw new ExecutionStopped();
  });
  expect(execution.end.status).toBe("ABORTED");
  return { execution, request: requests.at(-1) as MeasureRequest };
}

/** Its n-th trial. */
async function stoppedRun(ports: FakeAws, trial: number, input = oneCell): Promise<MeasureRequest> {
  return (await stoppedExecution(ports, trial, input)).request;
}

const plansOf = (ports: FakeAws) =>
  ports.fakeS3
    .keys("runs/")
    .filter((key) => key.endsWith("/plan.json"))
    .map((key) => JSON.parse(ports.fakeS3.objects.get(key) ?? "") as Plan);
const warningsOf = (ports: FakeAws) => plansOf(ports).at(-1)?.warnings.join("\n") ?? "";
const changes = ({ fakeLambda }: FakeAws) =>
  fakeLambda.requests.filter((request) => /^(Update|Invoke) /.test(request));

/** A driver's request, and its run, which a test stops so long after the driver's start. */
async function stoppable(lanes: number, handler = "measure") {
  const seen = { begunMs: [] as number[], looksMs: [] as number[] };
  let startMs = 0;
  const ports: FakeAws = portsFor(twoSizes, {
    onInvoke: (_, answer) => {
      seen.begunMs.push(ports.clock.ms - startMs);
      ports.clock.ms += 2_000;
      return answer;
    },
  });
  const requests: unknown[] = [];
  await execute(twoSizes, ports, { ...oneCell, warm: 24 }, (name, payload) => {
    if (name !== `Driver${handler}Function`) return;
    requests.push(payload);
    throw new ExecutionStopped();
  });
  // As if its cell were one of so many.
  const [path = ""] = ports.fakeS3.keys("runs/").filter((key) => key.endsWith("/plan.json"));
  const plan = JSON.parse(ports.fakeS3.objects.get(path) ?? "") as Plan;
  ports.fakeS3.objects.set(path, JSON.stringify({ ...plan, lanes }));
  const stopAfter = (stopMs: number) => {
    const { executions } = ports.fakeStepFunctions;
    executions.set(executionArn(1), "RUNNING");
    ports.fakeStepFunctions.onLook = (arn) => {
      const nowMs = ports.clock.ms - startMs;
      seen.looksMs.push(nowMs);
      if (nowMs >= stopMs) executions.set(arn, "ABORTED");
    };
    [seen.begunMs, seen.looksMs, startMs] = [[], [], ports.clock.ms];
    for (const key of ports.fakeS3.keys("runs/")) {
      if (key.includes("/samples/")) ports.fakeS3.objects.delete(key);
    }
  };
  return { ports, request: requests[0] as MeasureRequest & TryRequest, seen, stopAfter };
}

describe("the run after one that was stopped", () => {
  it("gives the functions their environment back that the stopped one left changed", async () => {
    const ports = portsFor(twoSizes);
    await stoppedRun(ports, 2);
    const names = () => [...ports.fakeLambda.functions.values()].map((each) => each.environment);
    expect(names()).not.toEqual(names().map(() => deployedEnvironment));
    await execute(twoSizes, ports, { ...oneTrial, variants: ["rust"] });
    expect(names()).toEqual(names().map(() => deployedEnvironment));
  });

  it("says which run was left without a report, and how to get one", async () => {
    const ports = portsFor(twoSizes);
    const { folder: runId } = await stoppedRun(ports, 2);
    await execute(twoSizes, ports, oneCell);
    expect(warningsOf(ports)).toContain(
      `the previous run, ${runId}, ended as ABORTED and has samples but no report; to get one: ` +
        `npm run kelvin -- fetch --bucket results --run ${runId}, ` +
        `then npm run kelvin -- report runs/${runId}`,
    );
  });

  it("says nothing where nothing was measured, or where the report was written", async () => {
    const ports = portsFor(twoSizes);
    await stoppedRun(ports, 1);
    await execute(twoSizes, ports, oneCell, failing("restore", "not restored"));
    expect(warningsOf(ports)).not.toContain("no report");
    const { end } = await execute(twoSizes, ports, oneCell);
    expect(end.status).toBe("SUCCEEDED");
    expect(warningsOf(ports)).not.toContain("no report");
  });
});

describe("a driver of a stopped run that is still going", () => {
  it("ends before it has changed anything once another run has the stack", async () => {
    const ports = portsFor(twoSizes);
    const request = await stoppedRun(ports, 2);
    await execute(twoSizes, ports, oneCell);
    const before = changes(ports);
    await measure(request, ports, driverMs);
    expect(changes(ports)).toEqual(before);
    const message = expect.stringMatching(
      `^another run is using the stack: .* since .* \\(${executionArn(2)}\\)$`,
    );
    expect(stored<CellFailure>(ports, "failures")).toMatchObject([
      { type: "RunReplaced", message },
    ]);
  });

  it("begins no call later than 15 s after the stop in 20 of 20 stops, and keeps its samples", async () => {
    const latestMs: number[] = [];
    for (const lanes of [1, 60]) {
      const { ports, request, seen, stopAfter } = await stoppable(lanes);
      for (let stop = 1; stop <= 10; stop += 1) {
        stopAfter(3_300 * stop);
        await measure(request, ports, driverMs);
        expect(stored<Sample>(ports, "samples")).toHaveLength(seen.begunMs.length);
        expect(stored<CellFailure>(ports, "failures")).toEqual([]);
        latestMs.push((seen.begunMs.at(-1) ?? 0) - 3_300 * stop);
      }
    }
    expect(latestMs).toHaveLength(20);
    expect(Math.max(...latestMs)).toBeLessThan(15_000);
    expect(Math.max(...latestMs)).toBeGreaterThan(5_000);
  });

  it("looks at its execution every five seconds at most, from its own start on", async () => {
    const { ports, request, seen, stopAfter } = await stoppable(1);
    stopAfter(20_000);
    await measure(request, ports, driverMs);
    const gapsMs = seen.looksMs.map((ms, index) => ms - (seen.looksMs[index - 1] ?? 0));
    expect(gapsMs).toHaveLength(4);
    for (const gapMs of gapsMs) expect(gapMs).toBeGreaterThanOrEqual(5_000);
  });

  it("begins no call where it cannot find out whether the run was stopped, and records why", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { ports, request, seen, stopAfter } = await stoppable(1);
    stopAfter(0);
    ports.fakeStepFunctions.respond = () => jsonError(400, "ThrottlingException", "Rate exceeded");
    await measure(request, ports, driverMs);
    expect(seen.begunMs.at(-1)).toBeLessThan(5_000);
    const message = `cannot find out whether ${executionArn(1)} is running: Rate exceeded`;
    expect(stored<CellFailure>(ports, "failures")).toMatchObject([{ message }]);
  });

  it("begins none before the first block either", async () => {
    const { ports, request, seen, stopAfter } = await stoppable(1, "tryfunctions");
    stopAfter(0);
    await tryFunctions(request, ports);
    expect(seen.begunMs.at(-1)).toBeLessThan(5_000);
    expect(seen.looksMs).toHaveLength(1);
  });

  it("begins no call five seconds after another run has begun, and keeps its samples", async () => {
    const ports = portsFor(twoSizes);
    const request = await stoppedRun(ports, 1, withWarmCalls);
    let calls = 0;
    const respond = async (asked: FakeRequest) => {
      ports.clock.ms += 1000;
      calls += 1;
      if (calls === 3) await startAnother(ports);
      return ports.fakeLambda.respond(asked);
    };
    const measuring = measuringLambdaClient(configFor({ respond }));
    await measure(request, { ...ports, measuring }, driverMs);
    expect(calls).toBeGreaterThanOrEqual(3);
    expect(calls).toBeLessThan(3 + 5);
    expect(stored<Sample>(ports, "samples")).toHaveLength(calls);
    expect(stored<CellFailure>(ports, "failures")).toMatchObject([{ type: "RunReplaced" }]);
  });
});

describe("a stopped execution that is redriven", () => {
  const environments = ({ fakeLambda }: FakeAws) =>
    [...fakeLambda.functions.values()].map(({ environment }) => environment);

  it("leaves the functions as they are where another run has the stack, and says so", async () => {
    const ports = portsFor(twoSizes);
    const { execution, request } = await stoppedExecution(ports, 2);
    await startAnother(ports);
    const before = environments(ports);
    expect(before).not.toEqual(before.map(() => deployedEnvironment));
    const { end } = await redrive(twoSizes, ports, 1, execution);
    expect(environments(ports)).toEqual(before);
    const told = expect.stringMatching(
      "another run is using the stack: .*:2\\); the functions are left as they are",
    );
    expect(end).toMatchObject({ status: "FAILED", error: "RunReplaced", cause: told });
    expect(ports.fakeS3.objects.get(`runs/${request.folder}/report-full.md`)).toEqual(told);
  });

  it("goes on to its end, and restores the functions, where the stack is still its own", async () => {
    const ports = portsFor(twoSizes);
    const { execution } = await stoppedExecution(ports, 2);
    const { end, history } = await redrive(twoSizes, ports, 1, execution);
    expect(end.status).toBe("SUCCEEDED");
    expect(history).not.toContain("Plan");
    expect(environments(ports)).toEqual(environments(ports).map(() => deployedEnvironment));
  });

  it("makes the stopped trials again beside what was measured of them, as another attempt", async () => {
    const ports = portsFor(twoSizes);
    const { execution, request } = await stoppedExecution(ports, 2, withWarmCalls);
    await measure(request, ports, driverMs);
    const before = stored<Sample>(ports, "samples");
    await redrive(twoSizes, ports, 1, execution);
    const after = stored<Sample>(ports, "samples");
    expect(after).toEqual(expect.arrayContaining([...before]));
    expect(before.every(({ attempt }) => attempt === undefined)).toBe(true);
    const again = after.filter(({ block, attempt }) => block === request.block && attempt === 2);
    expect(again.map(({ sequence }) => sequence)).toEqual(again.map((_, index) => index));
    expect(again[0]?.phase).toBe("cold");
  });

  it("does not go on where another attempt stood", async () => {
    const ports = portsFor(twoSizes);
    const { request } = await stoppedExecution(ports, 2, withWarmCalls);
    const progress = {
      sequence: 14,
      nextInvocation: 14,
      errorsInARow: 0,
      otherBootsInARow: 0,
      bootId: "gone-with-it",
      redrives: 0,
    };
    await measure({ ...request, redrives: 1, progress }, ports, driverMs);
    const again = stored<Sample>(ports, "samples").filter(({ attempt }) => attempt === 2);
    expect(again[0]).toMatchObject({ sequence: 0, phase: "cold" });
  });

  it("restores them too where the lock was deleted by hand: nobody else has the stack", async () => {
    const ports = portsFor(twoSizes);
    const { execution } = await stoppedExecution(ports, 2);
    ports.fakeS3.objects.delete("lock.json");
    await redrive(twoSizes, ports, 1, execution);
    expect(environments(ports)).toEqual(environments(ports).map(() => deployedEnvironment));
  });
});

/** A run that has planned, and no more yet. */
async function startAnother(ports: FakeAws): Promise<void> {
  await execute(twoSizes, ports, oneCell, stoppedAt("seed"));
  ports.fakeStepFunctions.executions.set(executionArn(2), "RUNNING");
  expect(file<{ execution: string }>(ports, "lock.json").execution).toBe(executionArn(2));
}
