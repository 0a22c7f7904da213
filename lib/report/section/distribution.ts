import { type Distribution, quantileIn } from "../../analysis/distribution.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  details,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  type Table,
} from "../document/document.ts";
import { count, number, tailText } from "../document/format.ts";
import { spanText } from "./columns.ts";

/** Shows the distribution of all kept samples, which a median hides. */
export function distributionSection(view: ReportView, chart: readonly Block[]): readonly Block[] {
  if (view.distributions.length === 0) return [];
  return [
    heading(
      2,
      "Distribution",
      `The longest call of all: ${spanText([view.distributions.reduce((most, row) => Math.max(most, quantileIn(row, 1) ?? 0), 0)])}`,
    ),
    paragraph(
      "All kept samples of a series together, whatever their environment. Medians here are over samples; means and medians in the other tables are over environments.",
    ),
    ...chart,
    details("Quartiles and tail (P95 and P99)", [distributionTable(view)]),
  ];
}

function distributionTable(view: ReportView): Table {
  const at = (label: string, level: number) =>
    numberColumn<Distribution>(label, (row) => number(quantileIn(row, level)));
  return makeTable<Distribution>(
    {
      id: "distribution",
      caption: `Quantiles over all kept samples, ms: cold, Init and first Duration together; warm, Duration. P95 takes 60 samples and P99 300; with fewer they are not stated.`,
    },
    [
      rowHeader("Phase", ({ phase }) => phase),
      rowHeader("Operation", ({ operation }) => [code(operation)]),
      ...cellColumns<Distribution>(view, ({ cell }) => cell),
      numberColumn("n", ({ n }) => count(n)),
      at("Min", 0),
      at("25%", 0.25),
      at("Median", 0.5),
      at("75%", 0.75),
      numberColumn("P95 ms", ({ p95Ms }) => tailText(p95Ms)),
      numberColumn("P99 ms", ({ p99Ms }) => tailText(p99Ms)),
      at("Max", 1),
    ],
    view.distributions,
  );
}
