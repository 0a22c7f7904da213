import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { measure } from "../../lambdas/driver/measure.ts";
import { planRun } from "../../lambdas/driver/plan.ts";
import { controlLambdaClient, measuringLambdaClient } from "../../lib/aws/clients.ts";
import type { CellFailure, FunctionResult, Sample } from "../../lib/contract/types/contract.ts";
import type { MeasureRequest } from "../../lib/run/messages.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import { configFor, type FakeRequest } from "../support/fake-aws/http.ts";
import { executionArn, planRequest, portsFor, stored } from "../support/state-machine.ts";
import { oneTrial, twoSizes } from "../support/two-sizes-run.ts";

const oneCell = { ...oneTrial, warm: 4 };
const driverMs = 15 * 60_000;

/** Every request to Lambda waits until it is its turn. */
function inTurns(ports: FakeAws, scheduler: fc.Scheduler): FakeAws {
  const service = {
    respond: async (request: FakeRequest) => {
      await scheduler.schedule(Promise.resolve());
      return ports.fakeLambda.respond(request);
    },
  };
  const measuring = measuringLambdaClient(configFor(service));
  return { ...ports, measuring, control: controlLambdaClient(configFor(service)) };
}

async function trialOf(ports: FakeAws, execution: string): Promise<MeasureRequest> {
  const { experiments } = await planRun(planRequest(twoSizes, oneCell, execution), ports);
  const [planned] = experiments;
  const [cell] = planned?.cells ?? [];
  if (planned === undefined || cell === undefined) throw new Error("a run has a cell");
  return { ...cell, folder: planned.folder, block: 0, execution };
}

/**
 * The driver of a stopped run has looked at the lock and made some requests when another run takes the
 * stack; from then on the requests of both come in any order. They are through before the first looks
 * again, and Lambda refuses none of them: each keeps to 10 calls a second, the two together would not.
 */
async function twoDrivers(scheduler: fc.Scheduler, headStart: number): Promise<FakeAws> {
  const ports = portsFor(twoSizes, { callsASecond: Number.POSITIVE_INFINITY });
  const turns = inTurns(ports, scheduler);
  const left = measure(await trialOf(ports, executionArn(1)), turns, driverMs);
  for (let request = 0; request <= headStart; request += 1) {
    while (scheduler.count() === 0) await setImmediate();
    if (request < headStart) await scheduler.waitOne();
  }
  ports.fakeStepFunctions.executions.set(executionArn(1), "ABORTED");
  const fresh = measure(await trialOf(ports, executionArn(2)), turns, driverMs);
  await scheduler.waitFor(Promise.all([left, fresh]));
  return ports;
}

/** What a kept sample must be by the function's own count, which no sampler can bend. */
function expectTrue(samples: readonly Sample[]): void {
  const bootIdOfCold = (samples[0]?.result as FunctionResult | undefined)?.bootId;
  for (const [index, { phase, rejected, result, telemetry }] of samples.entries()) {
    if (rejected !== undefined) continue;
    const { bootId, invocation } = result as FunctionResult;
    const before = samples[index - 1]?.result as FunctionResult | undefined;
    expect(telemetry?.initDurationMs !== undefined).toBe(phase === "cold");
    expect(bootId).toBe(bootIdOfCold);
    if (phase === "cold") expect(invocation).toBe(0);
    else expect(invocation).toBe((before?.invocation ?? Number.NaN) + 1);
    if (phase === "second") expect(invocation).toBe(1);
  }
}

it("two drivers that measure the same function at once keep no sample that is not what its phase says, and label every one that is not", async () => {
  const reasons = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(20), async (scheduler, headStart) => {
      const ports = await twoDrivers(scheduler, headStart);
      const samples = stored<Sample>(ports, "samples");
      for (const runId of new Set(samples.map((sample) => sample.runId))) {
        const ofRun = samples.filter((sample) => sample.runId === runId);
        expectTrue(ofRun);
        for (const { rejected } of ofRun) if (rejected) reasons.add(rejected.reason);
      }
      for (const { type } of stored<CellFailure>(ports, "failures")) {
        expect(type).toBe("boot-id-changed");
      }
    }),
    // The seed: what is asserted of all interleavings together holds for enough of them only.
    { numRuns: 25, seed: 1 },
  );
  expect([...reasons].sort()).toEqual([
    ...["boot-id-changed", "boot-id-reused", "invoked-meanwhile", "warm-up"],
  ]);
});
