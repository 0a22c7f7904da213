import { describe, expect, it } from "vitest";
import { planRun } from "../../lambdas/driver/plan.ts";
import { controlLambdaClient } from "../../lib/aws/clients.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { FakeLambda } from "../support/fake-aws/fake-lambda.ts";
import { configFor } from "../support/fake-aws/http.ts";
import { execute, file, invocations, planRequest, portsFor } from "../support/state-machine.ts";
import { oneTrial, small, twoSizes } from "../support/two-sizes-run.ts";

describe("an input that cannot be run", () => {
  const refused: readonly (readonly [string, unknown, string])[] = [
    ["an unknown field", { colds: 3 }, "colds: found 3; allowed: no such field; known: experiment"],
    [
      "an unknown field beside the console's comment",
      { Comment: "Insert your JSON here", colds: 3 },
      "colds: found 3",
    ],
    ["a comment of another name", { comment: "" }, 'comment: found ""; allowed: no such field'],
    ["a list", [], "input: found []; allowed: an object"],
    [
      "an experiment not deployed",
      { experiment: "s3" },
      'experiment: found "s3"; allowed: one or several of those deployed: dynamodb',
    ],
    [
      "a size not deployed",
      { memoryMb: [128, 256] },
      "memoryMb: found 256; allowed: one or several of those deployed: 128, 512",
    ],
    ["no size", { memoryMb: [] }, "memoryMb: found []"],
    ["a size as text", { memoryMb: "128" }, 'memoryMb: found "128"'],
    [
      "a variant not deployed",
      { variants: ["go"] },
      'variants: found "go"; allowed: one or several of those deployed: rust, rust-tuned, python',
    ],
    [
      "an architecture not deployed",
      { architectures: "x86_64" },
      'architectures: found "x86_64"; allowed: one or several of those deployed: arm64',
    ],
    ["no cold start", { cold: 0 }, "cold: found 0; allowed: a whole number from 1 to 1000"],
    ["less than no warm call", { warm: -1 }, "warm: found -1; allowed: a whole number from 0"],
    [
      "more warm calls than a driver can make",
      { cold: 6, warm: 100_000 },
      "its driver stops after 15",
    ],
    [
      "more samples than the report's driver could read in its time",
      { warm: 86_400 },
      "warm: found 86400; allowed: fewer: the report of dynamodb would read",
    ],
    ["an unknown preset", { preset: "fast" }, 'preset: found "fast"; allowed: quick, standard'],
    [
      "a seed that is no whole number",
      { seed: 1.5 },
      "seed: found 1.5; allowed: a whole number from 0 to 4294967295",
    ],
    ["no lane", { lanes: 0 }, "lanes: found 0"],
    [
      "a limit of nothing",
      { limits: ["cold < 3"] },
      'limit: found "cold < 3"; allowed: cold, second',
    ],
    ["limits that are no list", { limits: "cold.p95 < 1 s" }, "limits: found"],
    [
      "no money",
      { maxCostUsd: 0 },
      "maxCostUsd: found 0; allowed: an amount of US dollars above 0",
    ],
    ["too little money", { maxCostUsd: 0.001 }, "maxCostUsd: found 0.001; allowed: at least 0."],
  ];

  it.each(refused)("%s is refused clearly, and nothing runs", async (_, input, message) => {
    const ports = portsFor(twoSizes);
    const { end, history } = await execute(twoSizes, ports, input);
    expect(end).toMatchObject({ status: "FAILED", error: "InvalidInput" });
    expect(end).toHaveProperty("cause", expect.stringContaining(message));
    expect(history).toEqual(["Plan", "Not started"]);
    expect(invocations(ports)).toEqual([]);
    expect(ports.fakeS3.writes).toEqual([]);
  });

  it("maxCostUsd is refused where the region's prices are not known; without it a warning says so", async () => {
    const ports = portsFor(twoSizes, {}, "mx-central-1");
    const bounded = await execute(twoSizes, ports, { ...small, maxCostUsd: 1 });
    expect(bounded.end).toHaveProperty(
      "cause",
      expect.stringContaining("no price for regions.mx-central-1.lambda."),
    );
    expect(invocations(ports)).toEqual([]);
    expect((await execute(twoSizes, ports, oneTrial)).end.status).toBe("SUCCEEDED");
    const { estimate, warnings } = file<Plan>(ports, "plan.json");
    expect(estimate).toBe(undefined);
    expect(warnings.join()).toMatch(/no estimate: no price for .*take a price file that has it/);
  });

  it("what the calls cost at DynamoDB is left out of the estimate where it is not priced, and said", async () => {
    const ports = portsFor(twoSizes, {}, "eu-central-1");
    expect((await execute(twoSizes, ports, oneTrial)).end.status).toBe("SUCCEEDED");
    const { estimate, warnings } = file<Plan>(ports, "plan.json");
    expect(estimate?.pricesRegion).toBe("eu-central-1");
    expect(warnings.join()).toMatch(/the estimate is without .* DynamoDB .* in eu-central-1/);
  });

  it("maxCostUsd is refused where a part of the sum is not priced, with what it lacks", async () => {
    const ports = portsFor(twoSizes, {}, "eu-central-1");
    const bounded = await execute(twoSizes, ports, { ...small, maxCostUsd: 1 });
    const cause = /cannot be enforced: the estimate is without what the calls cost at DynamoDB/;
    expect(bounded.end).toHaveProperty("cause", expect.stringMatching(cause));
    expect(invocations(ports)).toEqual([]);
  });

  it("maxCostUsd is taken where the stack was deployed with the region's prices, which the plan keeps", async () => {
    const ports = portsFor(twoSizes, {}, "eu-central-1");
    const { regions } = publishedPrices;
    const prices = {
      ...publishedPrices,
      date: "2026-01-31",
      regions: { "eu-central-1": regions["us-east-1"] ?? {} },
    };
    const request = planRequest(twoSizes, { ...small, maxCostUsd: 1 }, "arn");
    const deployment = { ...request.deployment, prices: JSON.stringify(prices) };
    const { estimate } = await planRun({ ...request, deployment }, ports);
    expect(estimate).toMatchObject({ pricesDate: "2026-01-31", pricesRegion: "eu-central-1" });
    const here = portsFor(twoSizes);
    const published = await planRun(planRequest(twoSizes, small, "arn"), here);
    expect(estimate?.costUsd).toBeCloseTo(published.estimate?.costUsd ?? Number.NaN);
    expect(file<Plan>(ports, "plan.json").prices).toEqual(prices);
    expect(file<Plan>(here, "plan.json")).not.toHaveProperty("prices");
  });
});

it("the clients of a deployed driver retry nothing that is measured, and the control plane as the SDK does", async () => {
  expect(await portsFor(twoSizes).measuring.config.maxAttempts()).toBe(1);
  expect(await controlLambdaClient(configFor(new FakeLambda({}))).config.maxAttempts()).toBe(8);
});
