import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validated } from "../../lib/contract/validate.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import {
  describeAbsence,
  describeNotPriced,
  isWhollyPriced,
  lambdaPrice,
  publishedPrices,
} from "../../lib/cost/prices.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { planOf } from "./plan.ts";

const file = {
  date: "2026-01-31",
  sources: [{ url: "https://aws.amazon.com/lambda/pricing/", gives: "Lambda" }],
  regions: {
    "eu-west-1": {
      lambda: { arm64: { gbSecondUsd: 0.0000133334 }, requestUsd: 0.0000002 },
      s3: { putRequestUsd: 0.000005, getRequestUsd: 0.0000004 },
    },
  },
};

/** The file with the value at a dotted path replaced. */
function fileWith(path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(file) as Record<string, unknown>;
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1) as string] = value;
  return copy;
}

const parsePrices = (json: unknown) => validated("prices", json);
const region = ["regions", "eu-west-1"];

describe("the price table", () => {
  it("keeps its own rules for price files", () => {
    expect(parsePrices(JSON.parse(JSON.stringify(publishedPrices)))).toEqual(publishedPrices);
  });

  it("gives each architecture's price of a GB-second beside the region's of a request", () => {
    const { arm64, requestUsd } = publishedPrices.regions["us-east-1"]?.lambda ?? {};
    expect(requestUsd).toBeGreaterThan(0);
    expect(lambdaPrice(publishedPrices, "us-east-1", "arm64")).toEqual({
      ...{ kind: "lambda-price", gbSecondUsd: arm64?.gbSecondUsd, requestUsd },
    });
    expect(lambdaPrice(parsePrices(file), "eu-west-1", "arm64")).toMatchObject({
      gbSecondUsd: 0.0000133334,
    });
  });

  it("has no price of a call without that of a request, and lists no region without one of a GB-second", () => {
    const { requestUsd: _, ...lambda } = file.regions["eu-west-1"].lambda;
    const regions = { "eu-west-1": { lambda } };
    expect(lambdaPrice({ ...publishedPrices, regions }, "eu-west-1", "arm64")).toMatchObject({
      missing: ["lambda.requestUsd"],
    });
    for (const [name, { lambda }] of Object.entries(publishedPrices.regions)) {
      expect(lambda?.x86_64?.gbSecondUsd, name).toBeGreaterThan(0);
    }
  });

  it("is whole in a region where nothing of an estimate lacks its price", () => {
    expect(isWhollyPriced("us-east-1")).toBe(true);
    const options = { prices: publishedPrices };
    for (const name of ["us-east-1", "ap-northeast-1", "me-central-1", "mars-north-1"]) {
      const run = estimateRun(planOf(), { ...options, region: name });
      const isWhole = run.kind === "estimated" && run.notPriced.length === 0;
      expect(isWhollyPriced(name), name).toBe(isWhole);
    }
  });

  it("tells the parts apart that it does not price", () => {
    const text = describeNotPriced(["data", "logs"], "eu-west-1", publishedPrices);
    expect(text).toContain("at DynamoDB or S3, what the logs cost at CloudWatch: the table of");
    expect(text).toContain("kelvin prices --region eu-west-1");
  });

  it("has no price where none was found, and says which fields it lacks", () => {
    const absent = lambdaPrice(publishedPrices, "me-central-1", "arm64");
    expect(absent).toEqual({
      kind: "price-absent",
      region: "me-central-1",
      missing: ["lambda.arm64.gbSecondUsd", "lambda.requestUsd"],
    });
    expect(absent.kind === "price-absent" && describeAbsence(absent, publishedPrices)).toBe(
      "no price for regions.me-central-1.lambda.arm64.gbSecondUsd, " +
        "regions.me-central-1.lambda.requestUsd in the table of 2026-11-22; kelvin plan and " +
        "kelvin report take a price file that has it (--prices FILE), which kelvin prices --region " +
        "me-central-1 writes",
    );
    expect(lambdaPrice(publishedPrices, "mars-north-1", "arm64").kind).toBe("price-absent");
  });
});

it("every region asks a fifth less for arm64", () => {
  for (const { lambda } of Object.values(publishedPrices.regions)) {
    const { arm64, x86_64 } = lambda ?? {};
    if (arm64 === undefined || x86_64 === undefined) continue;
    expect(arm64.gbSecondUsd / x86_64.gbSecondUsd).toBeCloseTo(0.8, 2);
  }
});

describe("a price file", () => {
  it("of the form that docs/deploying.md shows is one", () => {
    const page = readFileSync(join(projectPaths.root, "docs", "deploying.md"), "utf8");
    const [, example = ""] = /```json\n(\{\n {2}"date"[\s\S]*?)```/.exec(page) ?? [];
    const prices = parsePrices(JSON.parse(example));
    const run = estimateRun(planOf(), { region: "mx-central-1", prices });
    expect(run).toMatchObject({ kind: "estimated", notPriced: [] });
  });

  it("is taken as it stands, absences included", () => {
    expect(parsePrices(file)).toEqual(file);
    expect(lambdaPrice(parsePrices(file), "eu-west-1", "x86_64").kind).toBe("price-absent");
  });

  it.each<[string, unknown, RegExp]>([
    [
      "no object",
      [],
      /^prices: found \[\]; allowed: an object with date, sources, regions, configurationItemUsd, ruleEvaluationUsd$/,
    ],
    ["nothing", undefined, /^prices: found nothing/],
    [
      "a date in words",
      fileWith(["date"], "today"),
      /^prices.date: found "today"; allowed: a date/,
    ],
    ["a date that is none", fileWith(["date"], "2026-13-01"), /^prices.date: found/],
    [
      "logs at no price",
      fileWith([...region, "logs"], { ingestedGbUsd: 0 }),
      /logs.ingestedGbUsd: found 0; allowed: USD for one GB/,
    ],
    ["no source", fileWith(["sources"], []), /^prices.sources: found \[\]; allowed: a list/],
    [
      "a source without address",
      fileWith(["sources"], [{ gives: "x" }]),
      /sources.0.url: found nothing/,
    ],
    ["no region", fileWith(["regions"], {}), /^prices.regions: found {}; allowed: regions by name/],
    [
      "a misspelt region",
      fileWith(["regions"], { ireland: {} }),
      /regions: found "ireland"; allowed/,
    ],
    [
      "a misspelt price",
      fileWith([...region, "lamda"], {}),
      /eu-west-1.lamda: found {}; allowed: no such field; known: lambda, /,
    ],
    [
      "a price in text",
      fileWith([...region, "lambda", "requestUsd"], "0.2"),
      /requestUsd: found "0.2"/,
    ],
    [
      "a price of 0",
      fileWith([...region, "lambda", "requestUsd"], 0),
      /found 0; allowed: USD for one unit/,
    ],
    [
      "a price per million",
      fileWith([...region, "lambda", "requestUsd"], 0.2),
      /requestUsd: found 0.2/,
    ],
    [
      "a GB-second bare",
      fileWith([...region, "lambda", "arm64"], 1),
      /arm64: found 1; allowed: an object/,
    ],
    [
      "half of a pair",
      fileWith([...region, "s3"], { getRequestUsd: 1e-7 }),
      /s3.putRequestUsd: found nothing/,
    ],
  ])("with %s is refused by field, finding and what is allowed", (_, json, message) => {
    expect(() => parsePrices(json)).toThrow(message);
  });
});
