import type { SeriesView } from "../view/series-view.ts";

/** Of a panel that shows one phase of one operation. */
export function panelName({ phase, operation }: Pick<SeriesView, "phase" | "operation">): string {
  return phase === "cold" ? "Cold: Init and first Duration" : `Warm ${operation}`;
}
