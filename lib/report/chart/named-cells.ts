import type { CostAndSpeed } from "../view/cost-speed.ts";
import type { LogAxis } from "./log-axis.ts";

/** Of a name in the picture: five digits. */
const namePx = { width: 44, height: 18 };

/** Where points are drawn: time across, cost upwards. */
export interface PlotArea {
  readonly ms: LogAxis;
  readonly usd: LogAxis;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Ids of the frontier's cells, quickest first, less those whose name would come near another's. */
export function namedCells(
  frontier: readonly CostAndSpeed[],
  { ms, usd, widthPx, heightPx }: PlotArea,
): ReadonlySet<string> {
  const kept: { readonly id: string; readonly x: number; readonly y: number }[] = [];
  for (const { cell, time, usdPerMillion } of frontier) {
    const x = shareOf(ms, time.median) * widthPx;
    const y = shareOf(usd, usdPerMillion) * heightPx;
    const isFree = kept.every(
      (other) => Math.abs(other.x - x) > namePx.width || Math.abs(other.y - y) > namePx.height,
    );
    if (isFree) kept.push({ id: cell.id, x, y });
  }
  return new Set(kept.map(({ id }) => id));
}

/** How far along the axis a value lies, 0 to 1. */
function shareOf({ min, max }: LogAxis, value: number): number {
  return Math.log(value / min) / Math.log(max / min);
}
