import published from "../../../contract/published.json" with { type: "json" };
import type { Cell } from "../../../contract/types/contract.ts";

const { multicore } = published;

/** What the source printed of one size. */
export type PublishedRow = (typeof multicore.arm64)[number];

/** Where and on what the source measured, as part of a caption. */
export const publishedPlace = `AWS Lambda, ${multicore.conditions.region}, ${multicore.conditions.workload}, mean of ${multicore.conditions.warmSamples}`;

/** The least and the most Init that the source gives, ms. */
export const publishedInitMs: Readonly<Record<Cell["architecture"], readonly number[]>> =
  multicore.initDurationMs;

/** The source's figures of a size; it measured the crate's hashes alone. */
export function publishedRowOf(cell: Cell): PublishedRow | undefined {
  if (cell.variant !== "rust") return undefined;
  return multicore[cell.architecture].find(
    ({ memoryMb, workers }) => memoryMb === cell.memoryMb && workers === cell.workers,
  );
}
