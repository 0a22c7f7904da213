import { describe, expect, it } from "vitest";
import { planRun } from "../../lambdas/driver/plan.ts";
import type { RunHolder } from "../../lib/aws/run-lock.ts";
import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import type { Execution } from "../support/asl-interpreter.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import { execute, executionArn, planRequest, portsFor, stored } from "../support/state-machine.ts";
import { oneTrial, small, twoSizes } from "../support/two-sizes-run.ts";

const first = executionArn(1);
const second = executionArn(2);

const plan = (ports: FakeAws, execution: string) =>
  planRun(planRequest(twoSizes, small, execution), ports);
const holder = ({ fakeS3 }: FakeAws) =>
  JSON.parse(fakeS3.objects.get("lock.json") ?? "null") as RunHolder;
/** Ports of a stack that a first execution has taken; its status, as far as Step Functions knows of it. */
async function afterFirst(status?: string): Promise<FakeAws> {
  const ports = portsFor(twoSizes);
  if (status !== undefined) ports.fakeStepFunctions.executions.set(first, status);
  await plan(ports, first);
  return ports;
}
const runsOf = ({ fakeS3 }: FakeAws) =>
  new Set(fakeS3.keys("runs/").map((key) => key.split("/")[1]));

describe("a second execution while one is running", () => {
  it("is refused with that one's name and start, and disturbs nothing", async () => {
    const ports = portsFor(twoSizes);
    const refused: Execution[] = [];
    const oneCell = { ...oneTrial, cold: 2, warm: 8 };
    const { end } = await execute(twoSizes, ports, oneCell, async (handler) => {
      if (handler === "DrivermeasureFunction" && refused.length === 0) {
        refused.push(await execute(twoSizes, ports, small));
      }
    });
    expect(refused[0]?.history).toEqual(["Plan", "Not started"]);
    expect(refused[0]?.end).toMatchObject({ status: "FAILED", error: "InvalidInput" });
    const { since, execution } = holder(ports);
    expect(execution).toBe(first);
    expect(refused[0]?.end).toHaveProperty(
      "cause",
      `execution: found "${first}"; allowed: one run at a time on a stack, and this one has been ` +
        `running since ${since}; wait for it to end, or stop it`,
    );
    expect(end.status).toBe("SUCCEEDED");
    expect(runsOf(ports).size).toBe(1);
    const samples = stored<Sample>(ports, "samples");
    const [planned] = ports.fakeS3.keys("runs/").filter((key) => key.endsWith("/plan.json"));
    const text = ports.fakeS3.objects.get(planned ?? "") ?? "";
    expect(samples).toHaveLength(plannedSamples(JSON.parse(text) as Plan));
    expect(new Set(samples.map(({ rejected }) => rejected?.reason))).toEqual(
      new Set([undefined, "warm-up"]),
    );
  });

  it("is refused also where Step Functions does not know of the first one yet", async () => {
    await expect(plan(await afterFirst(), second)).rejects.toThrow(`execution: found "${first}"`);
  });

  it("is told of its own mistakes first", async () => {
    const wrong = planRequest(twoSizes, { cold: 0 }, second);
    await expect(planRun(wrong, await afterFirst("RUNNING"))).rejects.toThrow("cold: found 0");
  });

  it("is refused where it cannot be told whether the first is running, with what to do", async () => {
    const ports = await afterFirst();
    ports.fakeStepFunctions.respond = () => jsonError(400, "AccessDeniedException", "not yours");
    await expect(plan(ports, second)).rejects.toThrow(
      `cannot find out whether ${first} is running: not yours; when it has ended, delete ` +
        "s3://results/lock.json and start again",
    );
  });
});

describe("an execution after another", () => {
  it.each(["SUCCEEDED", "FAILED", "ABORTED", "TIMED_OUT"])(
    "that ended as %s takes the stack over",
    async (status) => {
      const ports = await afterFirst();
      ports.fakeStepFunctions.executions.set(first, status);
      const { runId } = await plan(ports, second);
      expect(holder(ports)).toMatchObject({ execution: second, runId });
    },
  );

  it("that Step Functions has forgotten, 90 days after, takes the stack over", async () => {
    const ports = await afterFirst();
    const muchLater = { ...ports, now: () => new Date(Date.UTC(2026, 5, 1)) };
    expect(await plan(muchLater, second)).toHaveProperty("runId");
    expect(holder(ports).execution).toBe(second);
  });

  it("of a state machine that was replaced takes the stack over, and asks nobody about it", async () => {
    const ports = portsFor(twoSizes);
    await plan(ports, first.replace(":Kelvin:", ":KelvinBefore:"));
    ports.fakeStepFunctions.respond = () => jsonError(400, "AccessDeniedException", "not yours");
    expect(await plan(ports, second)).toHaveProperty("runId");
    expect(holder(ports).execution).toBe(second);
  });

  it("wins or is refused where two take over at once, and the winner is named", async () => {
    const ports = await afterFirst();
    const { executions } = ports.fakeStepFunctions;
    executions.set(first, "ABORTED");
    const two = [second, executionArn(3)];
    for (const each of two) executions.set(each, "RUNNING");
    const ends = await Promise.allSettled(two.map((each) => plan(ports, each)));
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const winner = two[ends.findIndex(({ status }) => status === "fulfilled")];
    expect(holder(ports).execution).toBe(winner);
    const loser = ends.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(loser.reason.message).toContain(`found "${winner}"`);
    expect(runsOf(ports).size).toBe(2);
  });

  it("is not in its own way when its state Plan is tried again", async () => {
    const ports = await afterFirst("RUNNING");
    const { runId } = await plan(ports, first);
    expect(holder(ports)).toMatchObject({ execution: first, runId });
  });

  it("takes the stack where the lock was deleted by hand", async () => {
    const ports = await afterFirst("RUNNING");
    ports.fakeS3.objects.delete("lock.json");
    expect(await plan(ports, second)).toHaveProperty("runId");
  });
});
