import type { FunctionResult, OperationRequest } from "../contract/types/contract.ts";
import type { Rejection } from "./verify-temperature.ts";

/**
 * Why a result is no time of the work alone: unprocessed items mean that DynamoDB throttled, and the
 * function paused before it sent them again, inside its Duration.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 */
export function throttledResult(payload: unknown): Rejection | undefined {
  const { retriedItems } = Object(payload) as Partial<FunctionResult>;
  if (retriedItems === undefined || retriedItems === 0) return undefined;
  return { reason: "throttled", detail: `${retriedItems} items were sent again` };
}

/**
 * Why a result that keeps the contract is not the one that the operation must give: a function that
 * computed something else, or less, was not fast but wrong. Undefined where all is as expected.
 */
export function wrongResult(
  payload: unknown,
  expected: OperationRequest["expected"] = {},
): Rejection | undefined {
  const result = new Map(Object.entries(Object(payload)));
  const wrong = Object.entries(expected).find(([field, value]) => result.get(field) !== value);
  if (wrong === undefined) return undefined;
  const [field, value] = wrong;
  const found = result.has(field) ? JSON.stringify(result.get(field)) : "nothing";
  return {
    reason: "result-wrong",
    detail: `${field}: found ${found}; expected ${JSON.stringify(value)}`,
  };
}
