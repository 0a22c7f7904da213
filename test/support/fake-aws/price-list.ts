import { PricingClient } from "@aws-sdk/client-pricing";
import { expect } from "vitest";
import { configFor, type FakeResponse } from "./http.ts";

interface Product {
  readonly service: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** From where each tier is, and its price. */
  readonly tiers: Readonly<Record<string, string>>;
}

export function product(
  service: string,
  usagetype: string,
  usd: string,
  attributes: Product["attributes"] = {},
): Product {
  return { service, attributes: { usagetype, ...attributes }, tiers: { "0": usd } };
}

/** Made-up prices, with the names that the products have. */
export const listed: readonly Product[] = [
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

/** Answers a request: https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html */
export function answerPrices(products: readonly Product[], body: string): FakeResponse {
  const { ServiceCode, Filters, NextToken } = JSON.parse(body);
  const filters = new Map<string, string>(
    Filters.map(({ Field, Value }: { Field: string; Value: string }) => [Field, Value]),
  );
  expect(filters.get("regionCode")).toBe("eu-central-1");
  filters.delete("regionCode");
  const found = products.filter(
    ({ service, attributes }) =>
      service === ServiceCode && [...filters].every(([name, value]) => attributes[name] === value),
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
}

export function priceList(products: readonly Product[], refusal?: FakeResponse): PricingClient {
  const respond = ({ body }: { readonly body: string }) => refusal ?? answerPrices(products, body);
  return new PricingClient({ ...configFor({ respond }), maxAttempts: 1 });
}
