import type { PriceTable } from "./prices.ts";

const common = {
  arm64: { gbSecondUsd: 0.0000133334 },
  x86_64: { gbSecondUsd: 0.0000166667 },
  requestUsd: 0.0000002,
} as const;

/**
 * The table used where no price file is given. Where a region lacks a price, it was not found in a
 * source that could be cited; a price file fills it (see parsePrices).
 */
export const publishedPrices: PriceTable = {
  date: "2026-11-21",
  sources: [
    {
      url: "https://aws.amazon.com/lambda/pricing/",
      gives: "Lambda: GB-seconds of the first tier, requests",
    },
    {
      url: "https://aws.amazon.com/step-functions/pricing/",
      gives: "Standard state transitions, from an undated copy of the page",
    },
    {
      url: "https://aws.amazon.com/dynamodb/pricing/on-demand/",
      gives: "DynamoDB on-demand request units; the page draws its figures by script, see the next",
    },
    {
      url: "https://airbyte.com/data-engineering-resources/dynamodb-pricing",
      gives:
        "0.625 and 0.125 USD per million write and read request units in US East since " +
        "November 2024, read 2025-07-21",
    },
  ],
  regions: {
    "us-east-1": {
      lambda: common,
      stepFunctionsTransitionUsd: 0.000025,
      dynamodb: { readRequestUnitUsd: 0.000000125, writeRequestUnitUsd: 0.000000625 },
    },
    "ap-northeast-1": { lambda: common, stepFunctionsTransitionUsd: 0.000025 },
    "me-south-1": { lambda: { x86_64: { gbSecondUsd: 0.0000206667 } } },
    "me-central-1": { lambda: { x86_64: { gbSecondUsd: 0.0000206667 } } },
    "af-south-1": { lambda: { x86_64: { gbSecondUsd: 0.0000221 } } },
    "ap-east-1": { lambda: { x86_64: { gbSecondUsd: 0.00002292 } } },
    "eu-south-1": { lambda: { x86_64: { gbSecondUsd: 0.0000195172 } } },
  },
};
