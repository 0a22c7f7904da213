import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plan } from "../../bin/commands/plan.ts";
import { planText } from "../../bin/run/plan-text.ts";
import type { PlanOptions } from "../../bin/run/planned-run.ts";
import type { Estimate, Plan } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { experiments } from "../../lib/experiments/catalogue.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { functionsFolder } from "../support/functions-file.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const words: PlanOptions = {
  experiment: "dynamodb",
  preset: "standard",
  architectures: ["arm64"],
  region: "us-east-1",
};

/** Made-up prices of a region where DynamoDB's are not known. */
const withoutData = {
  date: "2026-01-31",
  sources: [{ url: "a price file", gives: "Lambda and Step Functions" }],
  regions: {
    "ap-southeast-7": {
      lambda: { arm64: { gbSecondUsd: 0.000014 }, requestUsd: 0.0000002 },
      stepFunctionsTransitionUsd: 0.000025,
    },
  },
};

const output = capturedOutput();

/** What one command prints to stdout. */
async function printed(more: Partial<PlanOptions>): Promise<string> {
  output.stdout = "";
  expect(await plan({ ...words, ...more })).toBe(0);
  return output.stdout;
}
const asJson = async (more: Partial<PlanOptions>) =>
  JSON.parse(await printed({ ...more, json: true }));

describe("kelvin plan --functions", () => {
  const files = functionsFolder();

  it("prints what copies of a user's functions would take, and what that rests on", async () => {
    const functions = files.write({ architectures: ["x86_64"], timeoutSeconds: 3 });
    expect(await plan({ ...words, functions, cold: 8, warm: 88 })).toBe(0);
    const lines = output.stdout.split("\n");
    expect(lines.slice(0, 5)).toEqual([
      "experiment   functions, preset standard",
      "cells        5, one function each",
      "             base  x86_64  128, 512 MB",
      "             head  x86_64  128, 512 MB",
      "             base  x86_64  128 MB, the A/A replica of base-x86-64-128",
    ]);
    expect(output.stdout).toContain("nothing is known of these functions");
    expect(output.stdout).toMatch(/at most +about \$0\.\d+ if every call took until its timeout/);
    expect(output.stderr).toContain("python3.13, lambda_function.lambda_handler");
  });

  it("refuses a file that could not be deployed", async () => {
    const functions = files.write({ timeoutSeconds: 900 });
    await expect(plan({ ...words, functions })).rejects.toThrow(
      /timeoutSeconds: found 900; .*; --timeout 600, or timeoutSeconds in the functions file/,
    );
  });
});

describe("kelvin plan", () => {
  it("prints the matrix, one row for each variant and architecture, and the replica", async () => {
    const text = await printed({ memory: [128, 512], architectures: ["arm64", "x86_64"] });
    expect(text.split("\n").slice(1, 9)).toEqual([
      "cells        13, one function each",
      "             rust        arm64   128, 512 MB",
      "             rust-tuned  arm64   128, 512 MB",
      "             python      arm64   128, 512 MB",
      "             rust        x86_64  128, 512 MB",
      "             rust-tuned  x86_64  128, 512 MB",
      "             python      x86_64  128, 512 MB",
      "             rust        arm64   128 MB, the A/A replica of rust-arm64-128",
    ]);
  });

  it("prints what the run takes: invocations, transitions, minutes and dollars", async () => {
    await plan({ ...words, memory: [128] });
    const numberOf = (row: string) =>
      Number(new RegExp(`^${row} +(\\d+)`, "m").exec(output.stdout)?.[1]);
    // One call of each function with each event, and one a trial that asks for the CPU's model.
    expect(numberOf("invocations") - numberOf("samples")).toBe(4 * 4 + 4 * 60);
    expect(output.stdout).toMatch(/^transitions +\d+ of the state machine$/m);
    expect(output.stdout).toMatch(/^time +about \d+\.\d minutes in 4 lanes$/m);
    expect(output.stdout).toMatch(/^cost +about \$0\.0\d+ at the prices of 20\S+ in us-east-1$/m);
  });

  it("names what AWS Config would bill beside the cost, and how to keep it from that", async () => {
    await plan({ ...words, memory: [128], cold: 6, warm: 0, preset: "quick" });
    expect(output.stdout).toMatch(
      /^AWS Config +where it records continuously, (\d+) configuration items, \$0\.\d\d\d? beside the cost, and \$0\.\d\d\d? more for each of its rules that changes of functions trigger: exclude the resource type AWS::Lambda::Function from its recorder$/m,
    );
    const [, items] = /(\d+) configuration items/.exec(output.stdout) ?? [];
    // Four functions are made cold six times each, and get their own variables back once.
    expect(Number(items)).toBe(4 * 6 + 4);
  });

  it("says how long it takes in a new account, whose lanes are fewer, of several experiments too", async () => {
    const told =
      /^new account +about (\d+\.\d) minutes in the 4 lanes that 10 concurrent executions allow$/m;
    const [, minutes] = told.exec(await printed({})) ?? [];
    const inFour = await printed({ lanes: 4 });
    expect(inFour).toMatch(
      new RegExp(`^time +about ${minutes?.replace(".", "\\.")} minutes in 4 lanes$`, "m"),
    );
    expect(inFour).not.toMatch(told);
    expect((await printed({ experiment: "compute,multicore" })).split("\n\n").at(-1)).toMatch(told);
  });

  it("prints the same for scripts: a plan by its contract, its estimate in it", async () => {
    const whole = validated("plan", await asJson({ cold: 6, warm: 24 }));
    expect(whole.sizes).toMatchObject({ environments: 6, warmCalls: 4 });
    expect(whole.estimate?.invocations).toBe(19 * 6 * (2 + 4 * 4));
    expect(whole.estimate?.costUsd).toBeGreaterThan(0);
    expect(whole.lanes).toBe(19);
    const { minutes, time } = whole.estimate ?? {};
    const terms: readonly number[] = Object.values(time ?? {});
    expect(terms.length).toBeGreaterThan(5);
    expect(terms.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(60_000 * (minutes ?? 0), 3);
  });

  it("of a run until its ratios are precise prints the least and the most that it takes", async () => {
    const until = { memory: [128], untilPrecision: 0.05 };
    const text = await printed(until);
    expect(text).toMatch(/^continues +until every ratio is known to ±5%, or until 81600 /m);
    expect(text).toMatch(/^samples +8160 to \d{5}$/m);
    expect(text).toMatch(/^transitions +\d+ to \d+ of the state machine$/m);
    expect(text).toMatch(/^cost +about \$0\.\d+ to \$\d\.\d+ at the prices of/m);
    const { stopping, estimate } = validated("plan", await asJson(until));
    expect(stopping?.leastEstimate?.costUsd).toBeLessThan((estimate?.costUsd ?? 0) / 9);
    const budget = { maxSamples: 18_000, maxMinutes: 150 };
    const both = await printed({ ...until, ...budget, experiment: "dynamodb,compute" });
    expect(both.split("\n\n").at(-1)).toMatch(/^samples +11520 to 3\d{4}$/m);
  });

  it("prints no more time, and no more dollars, than the minutes of the rule are enough for", async () => {
    const short = { preset: "quick", memory: [128] } as const;
    const rule = { ...short, untilPrecision: 0.05, maxMinutes: 6 };
    const { estimate, stopping } = validated("plan", await asJson(rule));
    expect(estimate?.minutes).toBeGreaterThan(stopping?.leastEstimate?.minutes ?? 0);
    expect(estimate?.minutes).toBeLessThan(6.3);
    expect(await printed(rule)).toMatch(/ or 6 minutes \(expected first\)$/m);
  });

  it("refuses a budget without a rule, and a rule for too few environments", async () => {
    const refused = [
      [{ maxSamples: 900 }, "maxSamples: found 900; allowed: no value without untilPrecision"],
      [{ maxMinutes: 9 }, "maxMinutes: found 9; allowed: no value without untilPrecision"],
      [{ untilPrecision: 0.05, cold: 9 }, "cold: found 9; allowed: 60 and more"],
    ] as const;
    for (const [wrong, message] of refused) {
      await expect(plan({ ...words, ...wrong })).rejects.toThrow(message);
    }
  });

  it("of several experiments prints each, and what one run of all takes", async () => {
    const parts = (await printed({ experiment: "compute,multicore" })).split("\n\n");
    expect(parts.map((part) => part.split("\n")[0])).toEqual([
      "experiment   compute, preset standard",
      "experiment   multicore, preset standard",
      "all          2 experiments in one run",
    ]);
    const { plans, estimate } = await asJson({ experiment: "compute,multicore" });
    const own = plans.map((each: Plan) => validated("plan", each).estimate as Estimate);
    const sum = (of: (one: Estimate) => number) =>
      own.map(of).reduce((a: number, b: number) => a + b);
    expect(estimate.invocations).toBe(sum(({ invocations }) => invocations));
    expect(estimate.transitions).toBe(sum(({ transitions }) => transitions) - 5);
  });

  it("of all is of every experiment, and names those that have nothing of what was asked for", async () => {
    const { plans, leftOut } = await asJson({ experiment: "all", memory: [128] });
    const planned = plans.map((each: Plan) => each.experiment);
    expect(planned).toEqual(experiments.map(({ id }) => id).filter((id) => id !== "multicore"));
    expect(leftOut).toEqual(["multicore is left out: it has no cell with memory 128"]);
  });

  it("says in both forms what the cost leaves out", async () => {
    const prices = join(temporaryFolder(), "prices.json");
    writeFileSync(prices, JSON.stringify(withoutData));
    const region = "ap-southeast-7";
    const without = "the estimate is without what the calls cost at DynamoDB";
    expect(await printed({ region, prices })).toMatch(new RegExp(`^warning +${without}`, "m"));
    const { warnings } = (await asJson({ region, prices })) as Plan;
    expect(warnings.join()).toContain(without);
  });

  it("tells no run to cost nothing, however small it is", () => {
    const estimate = { invocations: 2, minutes: 0.1, transitions: 2 };
    const cost = { costUsd: 0.000_012_34, pricesDate: "2026-01-01", pricesRegion: "us-east-1" };
    const small = { ...smallPlan(), estimate: { ...estimate, ...cost } satisfies Estimate };
    expect(planText(small)).toContain("about $0.000012 at the prices of 2026-01-01");
  });

  it("names the workers of cells that have them", () => {
    const cells = smallPlan({ variants: ["rust"] }).cells.slice(0, 1);
    const withWorkers = [1, 2].map((workers) => ({
      ...cells[0],
      memoryMb: 1024 * workers,
      workers,
    }));
    const estimate = { invocations: 2, minutes: 0.1, transitions: 2 };
    const cost = { costUsd: 1, pricesDate: "2026-01-01", pricesRegion: "us-east-1" };
    const multicore = { ...smallPlan(), cells: withWorkers as Plan["cells"] };
    expect(planText({ ...multicore, estimate: { ...estimate, ...cost } })).toContain(
      "rust  arm64   1024 (1 worker), 2048 (2 workers) MB",
    );
  });

  it.each<[Partial<PlanOptions>, string]>([
    [{ experiment: "nothing" }, 'there is no experiment "nothing"; there are dynamodb'],
    [{ variants: ["java"] }, 'dynamodb has no variant "java"; there are rust, rust-tuned, python'],
    [{ memory: [64] }, "memoryMb: found 64; allowed: different whole numbers from 128 to 10240"],
    [{ cold: 0 }, "cold: found 0; allowed: a whole number from 1 to 1000"],
    [{ region: "moon-1" }, "no prices of the region moon-1"],
    [{ prices: "/nowhere" }, 'prices: found "/nowhere"; allowed: a JSON price table'],
  ])("refuses %j with what was found and what is allowed", async (bad, message) => {
    await expect(plan({ ...words, ...bad })).rejects.toThrow(message);
    expect(output.stdout).toBe("");
  });
});
