import { PricingClient, paginateGetProducts } from "@aws-sdk/client-pricing";
import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import type { Prices, RegionPrices } from "../contract/types/contract.ts";
import type { AccountAccess } from "./account-access.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/** A product of the price list. */
interface WantedProduct {
  readonly service: string;
  /** Required attributes besides the region code. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Suffix of its usage type, which may follow a region prefix such as `EUC1-`. */
  readonly usage: string;
}

/** https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/using-price-list-query-api.html */
const wanted = {
  armGbSecond: product("AWSLambda", "Lambda-GB-Second-ARM", { group: "AWS-Lambda-Duration-ARM" }),
  x86GbSecond: product("AWSLambda", "Lambda-GB-Second", { group: "AWS-Lambda-Duration" }),
  request: product("AWSLambda", "Request", { group: "AWS-Lambda-Requests" }),
  transition: product("AmazonStates", "StateTransition"),
  readUnit: product("AmazonDynamoDB", "ReadRequestUnits", { group: "DDB-ReadUnits" }),
  writeUnit: product("AmazonDynamoDB", "WriteRequestUnits", { group: "DDB-WriteUnits" }),
  put: product("AmazonS3", "Requests-Tier1", { group: "S3-API-Tier1" }),
  get: product("AmazonS3", "Requests-Tier2", { group: "S3-API-Tier2" }),
  logGb: product("AmazonCloudWatch", "DataProcessing-Bytes"),
  configurationItem: product("AWSConfig", "ConfigurationItemRecorded"),
  ruleEvaluation: product("AWSConfig", "ConfigRuleEvaluations"),
} as const satisfies Readonly<Record<string, WantedProduct>>;

type PriceName = keyof typeof wanted;

function product(
  service: string,
  usage: string,
  attributes: WantedProduct["attributes"] = {},
): WantedProduct {
  return { service, usage, attributes };
}

/** The API has few endpoints. Each has the prices of every region. */
const endpointRegion = "us-east-1";

export function pricingClient({ credentials }: Pick<AccountAccess, "credentials">): PricingClient {
  return new PricingClient({ region: endpointRegion, credentials });
}

/**
 * Fetches today's prices of one region from the Price List API. A price that the API does not return, or returns with
 * several values, is omitted and listed in `missing`. Throws InvalidInput if it has no prices of Lambda for the
 * region, and the API's error if it does not answer.
 * @param today YYYY-MM-DD
 */
export async function fetchPrices(
  client: PricingClient,
  region: string,
  today: string,
): Promise<{ readonly table: Prices; readonly missing: readonly string[] }> {
  const found = new Map<PriceName, number>();
  for (const name of Object.keys(wanted) as PriceName[]) {
    const usd = await priceOf(client, wanted[name], region);
    if (usd !== undefined) found.set(name, usd);
  }
  if (!found.has("request")) {
    const allowed = "a region that the Price List API has prices of Lambda for";
    throw new InvalidInput("region", region, allowed);
  }
  const missing = Object.keys(wanted).filter((name) => !found.has(name as PriceName));
  return { table: priceTable(found, region, today), missing };
}

function priceTable(found: ReadonlyMap<PriceName, number>, region: string, date: string): Prices {
  const item = found.get("configurationItem");
  const rule = found.get("ruleEvaluation");
  return {
    date,
    sources: [
      {
        url: "https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html",
        gives: `the Price List API's on-demand prices of ${region}, first tier of each`,
      },
    ],
    ...defined({ configurationItemUsd: item, ruleEvaluationUsd: rule }),
    regions: { [region]: regionPrices(found) },
  };
}

function regionPrices(found: ReadonlyMap<PriceName, number>): RegionPrices {
  const [arm, x86, request] = (["armGbSecond", "x86GbSecond", "request"] as const).map((name) =>
    found.get(name),
  );
  const transition = found.get("transition");
  const [read, write] = [found.get("readUnit"), found.get("writeUnit")];
  const [put, get, log] = [found.get("put"), found.get("get"), found.get("logGb")];
  return {
    lambda: {
      ...(arm !== undefined && { arm64: { gbSecondUsd: arm } }),
      ...(x86 !== undefined && { x86_64: { gbSecondUsd: x86 } }),
      ...defined({ requestUsd: request }),
    },
    ...defined({ stepFunctionsTransitionUsd: transition }),
    ...(read !== undefined &&
      write !== undefined && {
        dynamodb: { readRequestUnitUsd: read, writeRequestUnitUsd: write },
      }),
    ...(put !== undefined &&
      get !== undefined && { s3: { putRequestUsd: put, getRequestUsd: get } }),
    ...(log !== undefined && { logs: { ingestedGbUsd: log } }),
  };
}

/** Returns undefined if no matching product has a price, or if several have different ones. */
async function priceOf(
  client: PricingClient,
  { service, attributes, usage }: WantedProduct,
  region: string,
): Promise<number | undefined> {
  const match = (Field: string, Value: string) => ({ Type: "TERM_MATCH", Field, Value }) as const;
  const request = {
    ServiceCode: service,
    Filters: [
      match("regionCode", region),
      ...Object.entries(attributes).map(([name, value]) => match(name, value)),
    ],
  };
  const usd = new Set<number>();
  try {
    for await (const { PriceList = [] } of paginateGetProducts({ client }, request)) {
      for (const text of PriceList) {
        const price = firstTierUsd(JSON.parse(String(text)) as ListedProduct, usage);
        if (price !== undefined) usd.add(price);
      }
    }
  } catch (error) {
    throw credentialsProblem(error, "the Price List API") ?? error;
  }
  return usd.size === 1 ? [...usd][0] : undefined;
}

/** The fields of a product document that a price is read from. */
interface ListedProduct {
  readonly product?: { readonly attributes?: Readonly<Record<string, string>> };
  readonly terms?: { readonly OnDemand?: Readonly<Record<string, OnDemandTerm>> };
}

interface OnDemandTerm {
  readonly priceDimensions?: Readonly<Record<string, PriceDimension>>;
}

interface PriceDimension {
  readonly beginRange?: string;
  readonly pricePerUnit?: { readonly USD?: string };
}

/** Returns the price of the lowest tier that is not free. */
function firstTierUsd({ product, terms }: ListedProduct, usage: string): number | undefined {
  const type = product?.attributes?.usagetype ?? "";
  // The prefix IA- marks DynamoDB's infrequent-access table class.
  if (!new RegExp(`^(?!IA-)(?:[A-Z0-9]+-)?${usage}$`).test(type)) return undefined;
  const dimensions = Object.values(terms?.OnDemand ?? {}).flatMap(({ priceDimensions = {} }) =>
    Object.values(priceDimensions),
  );
  const [lowest] = dimensions
    .map(({ beginRange, pricePerUnit }) => ({
      from: Number(beginRange ?? 0),
      usd: Number(pricePerUnit?.USD ?? Number.NaN),
    }))
    .filter(({ usd }) => usd > 0)
    .toSorted((a, b) => a.from - b.from);
  return lowest?.usd;
}
