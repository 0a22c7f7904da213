import { Annotations } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { planRun } from "../../lambdas/driver/plan.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { estimatedUsdText } from "../../lib/cost/estimate.ts";
import { definitionOf } from "../support/asl-definition.ts";
import { execute, file, planRequest, portsFor, stoppedAt } from "../support/state-machine.ts";
import { synthStack, synthTemplate } from "../support/synth.ts";
import { coldOnly, run, small, twoSizes } from "../support/two-sizes-run.ts";

/** Ends where the plan is stored: it is all that is looked at. */
const plannedOnly = stoppedAt("seed");

describe("an account with 10 concurrent executions", () => {
  const planned = async (concurrency: number) => {
    const { ports } = await run(small, { concurrency, onDriver: plannedOnly });
    const { estimate, warnings } = file<Plan>(ports, "plan.json");
    return { minutes: estimate?.minutes ?? Number.NaN, warnings };
  };

  it("measures 4 cells at a time, and the plan says why", async () => {
    const { end, ports } = await run({ ...coldOnly, cold: 1 }, { concurrency: 10 });
    expect(end.status).toBe("SUCCEEDED");
    const { lanes, warnings } = file<Plan>(ports, "plan.json");
    expect(lanes).toBe(4);
    expect(warnings).toContain(
      "4 lanes instead of 7: the account has 10 concurrent executions free, a lane needs 2 " +
        "(driver and function), and 2 are left for other functions",
    );
  });

  it("is estimated with the lanes that it has, and not with the usual ones", async () => {
    const [narrowed, wide] = [await planned(10), await planned(1000)];
    expect(narrowed.minutes).toBeGreaterThan(wide.minutes);
  });

  it("is told before anything is measured how many minutes that takes, and how many it would", async () => {
    const [narrowed, wide] = [await planned(10), await planned(1000)];
    const [minutes, minutesOfWide] = [narrowed, wide].map((each) => Math.ceil(each.minutes));
    const told = `the run is estimated to take ${minutes} minutes in 4 lanes; with 7 it would take ${minutesOfWide}`;
    expect(narrowed.warnings).toContain(told);
    expect(wide.warnings.join()).not.toContain("it would take");
  });
});

it("an account where AWS Config records every update of a function reads in the output of Plan what that costs, and how to keep it off the bill", async () => {
  const ports = portsFor(twoSizes);
  const { warnings, estimate } = await planRun(planRequest(twoSizes, small, "arn"), ports);
  const { configurationItems, configurationItemsUsd = Number.NaN } = estimate ?? {};
  const { ruleEvaluationsUsd = Number.NaN } = estimate ?? {};
  expect(ruleEvaluationsUsd).toBeCloseTo(21 * 0.001);
  // Seven functions are made cold twice each, and get their own variables back once.
  expect(configurationItems).toBe(7 * 2 + 7);
  expect(warnings).toContain(
    `AWS Config: where it records continuously, 21 configuration items, ${estimatedUsdText(configurationItemsUsd)} ` +
      `beside the cost, and ${estimatedUsdText(ruleEvaluationsUsd)} more for each of its rules that changes of functions ` +
      "trigger: exclude the resource type AWS::Lambda::Function from its recorder",
  );
  // A report is no place where it could be acted on.
  expect(file<Plan>(ports, "plan.json").warnings.join()).not.toContain("AWS Config");
});

describe("an account with less memory", () => {
  const context = { memory: "128,512", maxMemory: "256" };
  const leftOut = "not deployed: 512 MB, above -c maxMemory=256";

  it("hears at synthesis what is not deployed", () => {
    Annotations.fromStack(synthStack(context)).hasWarning(
      "*",
      `dynamodb: ${leftOut} [ack: kelvin:leftOut]`,
    );
  });

  it("reads in each run's plan what is not deployed", async () => {
    const machine = definitionOf(synthTemplate(context));
    const ports = portsFor(machine);
    expect((await execute(machine, ports, coldOnly)).end.status).toBe("SUCCEEDED");
    expect(file<Plan>(ports, "plan.json").warnings).toContain(leftOut);
  });

  it("reads nothing of it where nothing was left out", async () => {
    const { ports } = await run(small, { onDriver: plannedOnly });
    const { warnings } = file<Plan>(ports, "plan.json");
    expect(warnings.join()).not.toContain("not deployed");
  });
});
