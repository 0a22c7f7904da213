import published from "../../../contract/published.json" with { type: "json" };
import type { Cell } from "../../../contract/types/contract.ts";
import { asItComes } from "./quantities.ts";

const { s3Fanout } = published;

/** The source's names of the variants; it measured Python alone. */
const columns = {
  "python-serial": "serialBoto3",
  "python-executor": "executorBoto3",
  "python-aioboto3": "aioboto3",
} as const;

/** What the source measured, as part of a caption. */
export const publishedPlace = `AWS Lambda, ${s3Fanout.conditions.runtime}, ${s3Fanout.conditions.objects} objects, mean of ${s3Fanout.conditions.samples}, region not given`;

/** The source's mean Duration, ms: of the libraries as they come. */
export function publishedMeanMs(
  { variant, memoryMb }: Pick<Cell, "variant" | "memoryMb">,
  operation: string,
): number | undefined {
  if (operation !== asItComes || !Object.hasOwn(columns, variant)) return undefined;
  const row = s3Fanout.meanDurationMs.find((known) => known.memoryMb === memoryMb);
  return row?.[columns[variant as keyof typeof columns]];
}
