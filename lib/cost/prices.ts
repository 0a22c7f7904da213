import type { Cell, Prices, RegionPrices } from "../contract/types/contract.ts";

/** Prices by region on a date; the JSON of a price file is validated as this type. */
export type PriceTable = Prices;

/** The rates at which an invocation is charged. */
export interface LambdaPrice {
  readonly kind: "lambda-price";
  readonly gbSecondUsd: number;
  readonly requestUsd: number;
}

/** The table lacks these prices: `missing` lists their field names in a price file. */
export interface PriceAbsent {
  readonly kind: "price-absent";
  readonly region: string;
  readonly missing: readonly string[];
}

/** Returns Lambda's price in a region, or the names of its missing fields. */
export function lambdaPrice(
  table: PriceTable,
  region: string,
  architecture: Cell["architecture"],
): LambdaPrice | PriceAbsent {
  const lambda = table.regions[region]?.lambda;
  const gbSecondUsd = lambda?.[architecture]?.gbSecondUsd;
  const requestUsd = lambda?.requestUsd;
  if (gbSecondUsd !== undefined && requestUsd !== undefined) {
    return { kind: "lambda-price", gbSecondUsd, requestUsd };
  }
  const missing = [
    ...(gbSecondUsd === undefined ? [`lambda.${architecture}.gbSecondUsd`] : []),
    ...(requestUsd === undefined ? ["lambda.requestUsd"] : []),
  ];
  return { kind: "price-absent", region, missing };
}

/** Parts of the cost that an estimate of a run on AWS may lack. */
export type NotPriced = "data" | "results" | "logs";

const notPricedPhrases: Readonly<Record<NotPriced, string>> = {
  data: "what the calls cost at DynamoDB or S3",
  results: "what the seed and the results cost at DynamoDB and S3",
  logs: "what the logs cost at CloudWatch",
};

/** Names the parts of a run's cost without a known price, at least one, and what to do about it. */
export function describeNotPriced(
  parts: readonly NotPriced[],
  region: string,
  { date }: PriceTable,
): string {
  return (
    `without ${parts.map((part) => notPricedPhrases[part]).join(", ")}: the table of ` +
    `${date} does not price that in ${region}, a price file (kelvin prices --region ${region}) can`
  );
}

/** Names the missing prices, and what to do about it. */
export function describeAbsence({ region, missing }: PriceAbsent, table: PriceTable): string {
  const fields = missing.map((field) => `regions.${region}.${field}`).join(", ");
  return (
    `no price for ${fields} in the table of ${table.date}; kelvin plan and kelvin report take a ` +
    `price file that has it (--prices FILE), which kelvin prices --region ${region} writes`
  );
}

type Lambda = NonNullable<RegionPrices["lambda"]>;

/** Lambda's prices in most regions. */
const usual = lambdaAt(0.0000133334, 0.0000166667, 0.0000002);
/** Price of one transition in most regions, USD. */
const usualTransitionUsd = 0.000025;

/** The default table. A price is absent if no source that can be cited was found; a price file supplies it (--prices). */
export const publishedPrices: PriceTable = {
  date: "2026-11-22",
  sources: [
    {
      url: "https://aws.amazon.com/lambda/pricing/",
      gives: "Lambda: GB-seconds of the first tier, requests; drawn by script, see the next",
    },
    {
      url: "https://github.com/remotion-dev/remotion/blob/main/packages/lambda-client/src/price-per-1s.ts",
      gives: "Lambda by region as AWS's own calculator (calculator.aws) has it",
    },
    {
      url: "https://github.com/janritter/aws-lambda-live-tuner/blob/main/cost/cost.go",
      gives: "Lambda by region, the same where both have one; me-central-1, x86_64 alone",
    },
    {
      url: "https://aws.amazon.com/step-functions/pricing/",
      gives: "Standard state transitions by region, from a copy of the page of 2019",
    },
    {
      url: "https://github.com/alexcasalboni/aws-lambda-power-tuning/issues/80",
      gives:
        "Standard state transitions by region in May 2020: the same, and af-south-1, ap-east-1, " +
        "eu-south-1, me-south-1",
    },
    {
      url: "https://aws.amazon.com/dynamodb/pricing/on-demand/",
      gives: "DynamoDB on-demand request units; drawn by script, see the next",
    },
    {
      url: "https://github.com/ocelhq/ocel/issues/1014",
      gives:
        "us-east-1 in the Price List API, retrieved 2026-09-06: DynamoDB's request units, and " +
        "Lambda as above",
    },
    {
      url: "https://aws.amazon.com/s3/pricing/",
      gives: "S3 Standard requests; drawn by script, see the next",
    },
    {
      url: "https://c3x.dev/blog/s3-request-fees-explained",
      gives:
        "us-east-1: a thousand of PUT, COPY, POST, LIST and of GET and all others in S3 Standard",
    },
    {
      url: "https://aws.amazon.com/cloudwatch/pricing/",
      gives: "CloudWatch Logs: a GB taken in, Standard class; drawn by script, see the next",
    },
    {
      url: "https://aws.amazon.com/blogs/compute/aws-lambda-introduces-tiered-pricing-for-amazon-cloudwatch-logs-and-additional-logging-destinations/",
      gives: "us-east-1: Lambda's logs, the first tier of a GB taken in",
    },
    {
      url: "https://aws.amazon.com/config/pricing/",
      gives:
        "AWS Config: a configuration item recorded continuously, a rule's evaluation of the first " +
        "tier, in every region",
    },
  ],
  configurationItemUsd: 0.003,
  ruleEvaluationUsd: 0.001,
  regions: {
    "us-east-1": {
      ...at(usual),
      dynamodb: { readRequestUnitUsd: 0.000000125, writeRequestUnitUsd: 0.000000625 },
      s3: { putRequestUsd: 0.000005, getRequestUsd: 0.0000004 },
      logs: { ingestedGbUsd: 0.5 },
    },
    "us-east-2": at(usual),
    "us-west-1": at(usual, 0.0000279),
    "us-west-2": at(usual),
    "ca-central-1": at(usual),
    "sa-east-1": at(usual, 0.0000375),
    "eu-central-1": at(usual),
    "eu-central-2": { lambda: lambdaAt(0.0000146667, 0.0000183334, 0.00000022) },
    "eu-north-1": at(usual),
    "eu-south-1": at(lambdaAt(0.0000156138, 0.0000195172, 0.00000023), 0.00002625),
    "eu-west-1": at(usual),
    "eu-west-2": at(usual),
    "eu-west-3": at(usual, 0.0000297),
    "af-south-1": at(lambdaAt(0.00001768, 0.0000221, 0.00000027), 0.00002975),
    "me-central-1": { lambda: { x86_64: { gbSecondUsd: 0.0000206667 } } },
    "me-south-1": at(lambdaAt(0.0000165334, 0.0000206667, 0.00000025), 0.0000275),
    "ap-east-1": at(lambdaAt(0.0000183, 0.00002292, 0.00000028), 0.0000275),
    "ap-northeast-1": at(usual),
    "ap-northeast-2": at(usual, 0.0000271),
    "ap-northeast-3": { lambda: usual },
    "ap-south-1": at(usual, 0.0000285),
    "ap-southeast-1": at(usual),
    "ap-southeast-2": at(usual),
    "ap-southeast-4": { lambda: usual },
    "ap-southeast-5": { lambda: lambdaAt(0.000012, 0.000015, 0.00000018) },
  },
};

/** Returns whether the published table has every price of a region that an estimate needs. */
export function isWhollyPriced(region: string): boolean {
  const { lambda, stepFunctionsTransitionUsd, dynamodb, s3, logs } =
    publishedPrices.regions[region] ?? {};
  const parts = [lambda?.arm64, lambda?.x86_64, lambda?.requestUsd, dynamodb, s3, logs];
  return [...parts, stepFunctionsTransitionUsd].every((part) => part !== undefined);
}

function at(lambda: Lambda, transitionUsd = usualTransitionUsd): RegionPrices {
  return { lambda, stepFunctionsTransitionUsd: transitionUsd };
}

/** Returns prices from USD per GB-second on arm64 and on x86_64, and per request. */
function lambdaAt(arm64Usd: number, x86Usd: number, requestUsd: number): Lambda {
  return { arm64: { gbSecondUsd: arm64Usd }, x86_64: { gbSecondUsd: x86Usd }, requestUsd };
}
