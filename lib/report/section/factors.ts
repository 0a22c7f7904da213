import type { Comparison } from "../../analysis/comparisons.ts";
import type { CostRatio, FactorComparison } from "../../analysis/factors.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import {
  type Block,
  type ColumnOf,
  heading,
  list,
  makeTable,
  numberColumn,
  plain,
  rowHeader,
  verdictColumn,
} from "../document/document.ts";
import { count, ratioText, shareText, verdictText } from "../document/format.ts";
import { factorItems, factorSides } from "../factor-text.ts";

/** Shows the comparisons of one factor at a time, by time and by cost; empty if the run declares none. */
export function factorSection(view: ReportView): readonly Block[] {
  const { factors } = view;
  if (factors === undefined) return [];
  const times = factors.flatMap((pair) => pair.times.map((compared) => ({ pair, compared })));
  const costs = factors.flatMap((pair) => pair.costs.map((compared) => ({ pair, compared })));
  return [
    heading(2, "One factor at a time", factorItems(view).map(plain).join(" ")),
    makeTable<TimeRow>(
      {
        id: "factor-times",
        caption:
          "Ratio of the mean times [95% CI], both sides in the same blocks; above 1 the first takes longer.",
      },
      [
        ...pairColumns<TimeRow>(view),
        rowHeader("Phase", ({ compared }) => compared.phase),
        rowHeader("Operation", ({ compared }) => compared.operation),
        numberColumn("Ratio", ({ compared }) => ratioText(compared)),
        verdictColumn("Verdict", ({ compared }) => verdictText(compared)),
      ],
      times,
    ),
    ...(costs.length === 0 ? [] : [costTable(view, costs)]),
    list([
      "The two sides of a row differ in the factor alone: they are cells of one run, at one memory size, and each block has a trial of both. The verdicts are corrected in one family with those against the baseline.",
      "A ratio of costs has the Billed Durations of both sides, each at the price of its own architecture, and its interval is taken from the same blocks. It is not a ratio of times: it includes the price, the fee for a request, and the rounding of bills to whole ms.",
    ]),
  ];
}

interface TimeRow {
  readonly pair: FactorComparison;
  readonly compared: Comparison;
}

interface CostRow {
  readonly pair: FactorComparison;
  readonly compared: CostRatio;
}

function costTable(view: ReportView, rows: readonly CostRow[]) {
  return makeTable<CostRow>(
    {
      id: "factor-costs",
      caption: `Ratio of the costs of an invocation [95% CI], ${shareText(view.cost.coldShare)} of them cold; above 1 the first costs more.`,
    },
    [
      ...pairColumns<CostRow>(view),
      rowHeader("Operation", ({ compared }) => compared.operation),
      numberColumn("Cost ratio", ({ compared }) => ratioText(compared)),
    ],
    rows,
  );
}

function pairColumns<Row extends { readonly pair: FactorComparison }>({
  subject,
  factors = [],
}: ReportView): readonly ColumnOf<Row>[] {
  const variants = new Set(factors.map(({ cell }) => cell.variant));
  return [
    rowHeader("Factor", ({ pair }) => pair.factor),
    rowHeader("Compared", ({ pair }) => {
      const { one, other } = factorSides(subject, pair);
      return `${one} / ${other}`;
    }),
    ...(variants.size > 1 ? [rowHeader<Row>("Variant", ({ pair }) => pair.cell.variant)] : []),
    rowHeader("Memory MB", ({ pair }) => count(pair.cell.memoryMb), "number"),
  ];
}
