import { median } from "../lib/statistics/order-statistics.ts";
import { type Evidence, type Metric, metrics } from "./quantities.ts";

/** A quantity of one variant. */
export interface Figure {
  readonly n: number;
  readonly median: number;
  readonly smallest: number;
  readonly largest: number;
}

/** Figures by the quantity's id; absent if not measured. */
export type Figures = Readonly<Record<string, Figure>>;

export function figuresOf(evidence: Evidence): Figures {
  return Object.fromEntries(
    metrics.flatMap((quantity) => {
      const figure = figureOf(quantity, evidence);
      return figure === undefined ? [] : [[quantity.id, figure]];
    }),
  );
}

function figureOf(quantity: Metric, evidence: Evidence): Figure | undefined {
  const values = quantity.values(evidence).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  const [smallest, largest] = [Math.min(...values), Math.max(...values)];
  return { n: values.length, median: median(values), smallest, largest };
}
