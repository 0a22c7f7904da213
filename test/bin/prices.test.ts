import { existsSync, readFileSync } from "node:fs";
import { PricingClient } from "@aws-sdk/client-pricing";
import { beforeEach, describe, expect, it } from "vitest";
import { prices } from "../../bin/commands/prices.ts";
import { pricesToDeploy } from "../../bin/run/deployed-prices.ts";
import { validated } from "../../lib/contract/validate.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { configFor, type FakeResponse, jsonError } from "../support/fake-aws/http.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
const output = capturedOutput();

interface Product {
  readonly service: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** From where each tier is, and its price. */
  readonly tiers: Readonly<Record<string, string>>;
}

function product(
  service: string,
  usagetype: string,
  usd: string,
  attributes: Product["attributes"] = {},
): Product {
  return { service, attributes: { usagetype, ...attributes }, tiers: { "0": usd } };
}

/** Made-up prices, with the names that the products have. */
const listed: readonly Product[] = [
  product("AWSLambda", "EUC1-Lambda-GB-Second-ARM", "0.00001", {
    group: "AWS-Lambda-Duration-ARM",
  }),
  product("AWSLambda", "EUC1-Lambda-GB-Second", "0.00002", { group: "AWS-Lambda-Duration" }),
  product("AWSLambda", "EUC1-Request", "0.0000003", { group: "AWS-Lambda-Requests" }),
  product("AmazonStates", "EUC1-StateTransition", "0.00004"),
  product("AmazonStates", "EUC1-StepFunctions-Request", "0.000001"),
  product("AmazonDynamoDB", "EUC1-ReadRequestUnits", "0.0000005", { group: "DDB-ReadUnits" }),
  product("AmazonDynamoDB", "EUC1-ReadCapacityUnit-Hrs", "0.0001", { group: "DDB-ReadUnits" }),
  product("AmazonDynamoDB", "EUC1-WriteRequestUnits", "0.0000006", { group: "DDB-WriteUnits" }),
  product("AmazonS3", "EUC1-Requests-Tier1", "0.000007", { group: "S3-API-Tier1" }),
  product("AmazonS3", "EUC1-Requests-Tier2", "0.0000008", { group: "S3-API-Tier2" }),
  {
    service: "AmazonCloudWatch",
    attributes: { usagetype: "EUC1-DataProcessing-Bytes" },
    tiers: { "10240": "0.3", "0": "0", "5": "0.63" },
  },
  product("AWSConfig", "EUC1-ConfigurationItemRecorded", "0.003"),
  product("AWSConfig", "EUC1-ConfigurationItemRecordedDaily", "0.01"),
  product("AWSConfig", "EUC1-ConfigRuleEvaluations", "0.001"),
];

/** https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html */
function priceList(products: readonly Product[], refusal?: FakeResponse): PricingClient {
  const respond = ({ body }: { readonly body: string }): FakeResponse => {
    if (refusal !== undefined) return refusal;
    const { ServiceCode, Filters, NextToken } = JSON.parse(body);
    const filters = new Map<string, string>(
      Filters.map(({ Field, Value }: { Field: string; Value: string }) => [Field, Value]),
    );
    expect(filters.get("regionCode")).toBe("eu-central-1");
    filters.delete("regionCode");
    const found = products.filter(
      ({ service, attributes }) =>
        service === ServiceCode &&
        [...filters].every(([name, value]) => attributes[name] === value),
    );
    // One product a page.
    const at = Number(NextToken ?? 0);
    const page = found.slice(at, at + 1).map(({ attributes, tiers }) => {
      const dimensions = Object.entries(tiers).map(([beginRange, USD], index) => [
        `rate-${index}`,
        { beginRange, pricePerUnit: { USD } },
      ]);
      const term = { priceDimensions: Object.fromEntries(dimensions) };
      return JSON.stringify({ product: { attributes }, terms: { OnDemand: { term } } });
    });
    const more = at + 1 < found.length ? { NextToken: String(at + 1) } : {};
    return { status: 200, body: JSON.stringify({ PriceList: page, ...more }) };
  };
  return new PricingClient({ ...configFor({ respond }), maxAttempts: 1 });
}

const ask = (client: PricingClient) =>
  prices({ region: "eu-central-1", out: folder("prices.json") }, client);
const written = () => validated("prices", JSON.parse(readFileSync(folder("prices.json"), "utf8")));

describe("kelvin prices", () => {
  it("writes the region's prices, each the lowest tier's that is not free", async () => {
    expect(await ask(priceList(listed))).toBe(0);
    const table = written();
    expect(table.regions).toEqual({
      "eu-central-1": {
        lambda: {
          arm64: { gbSecondUsd: 0.00001 },
          x86_64: { gbSecondUsd: 0.00002 },
          requestUsd: 0.0000003,
        },
        stepFunctionsTransitionUsd: 0.00004,
        dynamodb: { readRequestUnitUsd: 0.0000005, writeRequestUnitUsd: 0.0000006 },
        s3: { putRequestUsd: 0.000007, getRequestUsd: 0.0000008 },
        logs: { ingestedGbUsd: 0.63 },
      },
    });
    expect(table).toMatchObject({ configurationItemUsd: 0.003, ruleEvaluationUsd: 0.001 });
    expect(table.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(output.stderr).toBe("");
  });

  it("leaves out and names what the list lacks, or has at two prices", async () => {
    const without = listed.filter(({ service }) => service !== "AmazonS3");
    const other = product("AmazonStates", "EUC2-StateTransition", "0.00005");
    expect(await ask(priceList([...without, other]))).toBe(0);
    const regional = written().regions["eu-central-1"];
    expect(regional).not.toHaveProperty("s3");
    expect(regional).not.toHaveProperty("stepFunctionsTransitionUsd");
    expect(output.stderr).toBe("without a price in eu-central-1: transition, put, get\n");
  });

  it("refuses a region without prices, and leaves no file", async () => {
    await expect(ask(priceList([]))).rejects.toThrow('region: found "eu-central-1"');
    expect(existsSync(folder("prices.json"))).toBe(false);
  });
});

describe("a deploy", () => {
  const account = (region: string) => ({ region, credentials: async () => expect.unreachable() });
  const said: string[] = [];
  beforeEach(() => void said.splice(0));
  const deployed = (region: string, client: PricingClient) =>
    pricesToDeploy(account(region), (line) => said.push(line), client);

  it("asks for nothing where Kelvin's own table has all prices", async () => {
    const client = priceList([], jsonError(500, "InternalErrorException", "asked"));
    expect((await deployed("us-east-1", client)).context).toEqual([]);
    expect(said).toEqual([]);
  });

  it("takes the region's prices along where it has not, and leaves no file", async () => {
    const { context, release } = await deployed("eu-central-1", priceList(listed));
    const [, path = ""] = (context[1] ?? "").split("=");
    expect(validated("prices", JSON.parse(readFileSync(path, "utf8"))).regions).toHaveProperty(
      "eu-central-1",
    );
    release();
    expect(existsSync(path)).toBe(false);
  });

  it("goes on without where the caller may not ask, and says what that means", async () => {
    const client = priceList([], jsonError(400, "AccessDeniedException", "not you"));
    expect((await deployed("eu-central-1", client)).context).toEqual([]);
    expect(said).toEqual([
      expect.stringMatching(/gave none \(not you\): runs refuse maxCostUsd; pricing:GetProducts/),
    ]);
  });
});
