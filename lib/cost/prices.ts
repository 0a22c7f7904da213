import type { Cell } from "../contract/types/contract.ts";

/** What AWS asks, on a date, by region. A price that is not known is absent, never 0 and never another region's. */
export interface PriceTable {
  /** When the table was put together, YYYY-MM-DD. */
  readonly date: string;
  readonly sources: readonly PriceSource[];
  /** One configuration item of AWS Config where it records continuously; the same in every region. */
  readonly configurationItemUsd?: number;
  readonly regions: Readonly<Record<string, RegionPrices>>;
}

export interface PriceSource {
  readonly url: string;
  /** Which of the prices it gives, and what is to be known of it. */
  readonly gives: string;
}

/** On-demand prices in USD before any free tier, first tier of each. */
export interface RegionPrices {
  readonly lambda?: {
    readonly arm64?: { readonly gbSecondUsd: number };
    readonly x86_64?: { readonly gbSecondUsd: number };
    readonly requestUsd?: number;
  };
  /** One transition of a Standard state machine. */
  readonly stepFunctionsTransitionUsd?: number;
  readonly dynamodb?: {
    readonly readRequestUnitUsd: number;
    readonly writeRequestUnitUsd: number;
  };
  readonly s3?: {
    /** One PUT, COPY, POST or LIST. */
    readonly putRequestUsd: number;
    /** One GET and any other. */
    readonly getRequestUsd: number;
  };
  /** CloudWatch Logs, the Standard class, first tier. */
  readonly logs?: { readonly ingestedGbUsd: number };
}

/** What one invocation is charged by. */
export interface LambdaPrice {
  readonly kind: "lambda-price";
  readonly gbSecondUsd: number;
  readonly requestUsd: number;
}

/** The table lacks these prices: `missing` names the fields that a price file would give. */
export interface PriceAbsent {
  readonly kind: "price-absent";
  readonly region: string;
  readonly missing: readonly string[];
}

/** Lambda's price in a region, or what of it is missing. */
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

/** What an estimate of a run on AWS may be without. */
export type NotPriced = "data" | "results" | "logs";

const notPricedWords: Readonly<Record<NotPriced, string>> = {
  data: "what the calls cost at DynamoDB or S3",
  results: "what the seed and the results cost at DynamoDB and S3",
  logs: "what the logs cost at CloudWatch",
};

/** What to tell of parts of a run's cost that no price is known of; one at least. */
export function describeNotPriced(
  parts: readonly NotPriced[],
  region: string,
  { date }: PriceTable,
): string {
  return (
    `without ${parts.map((part) => notPricedWords[part]).join(", ")}: the table of ` +
    `${date} does not price that in ${region}, a price file (--prices) can`
  );
}

/** What to tell of an absence, and what to do about it. */
export function describeAbsence({ region, missing }: PriceAbsent, table: PriceTable): string {
  const fields = missing.map((field) => `regions.${region}.${field}`).join(", ");
  return (
    `no price for ${fields} in the table of ${table.date}; kelvin plan and kelvin report take a ` +
    "price file that has it (--prices, see kelvin plan --help)"
  );
}
