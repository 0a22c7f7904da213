import type { Plan } from "./types/contract.ts";

/** The service that a plan's functions call; undefined where they call none. */
export function serviceOf({
  withoutTable,
  withBucket,
}: Pick<Plan, "withoutTable" | "withBucket">): "DynamoDB" | "S3" | undefined {
  if (withBucket === true) return "S3";
  return withoutTable === true ? undefined : "DynamoDB";
}
