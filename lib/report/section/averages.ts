import type { Cell, ImportedAverage } from "../../contract/types/contract.ts";
import { heading, list, numberColumn, paragraph, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { ReportDocument, Table } from "../document/document.ts";
import { missing, number } from "../document/format-number.ts";
import type { ReportView } from "../view/report-view.ts";
import { conditionsSection } from "./conditions.ts";
import { opening } from "./opening.ts";

interface Row extends ImportedAverage {
  readonly cell: Cell;
}

/** The whole report of averages that another tool worked out: they are figures, and no series. */
export function averagesDocument(
  view: ReportView,
  averages: readonly ImportedAverage[],
): ReportDocument {
  const rows = view.plan.cells.flatMap((cell): readonly Row[] =>
    averages.filter(({ cellId }) => cellId === cell.id).map((average) => ({ ...average, cell })),
  );
  return {
    title: view.subject.title,
    blocks: [
      ...opening(view),
      heading(2, "The averages"),
      averagesTable(view, rows),
      paragraph(
        "AWS Lambda Power Tuning by default leaves out the fastest and the slowest fifth of its invocations before it takes the mean (discardTopBottom), tells neither how many there were nor which of them were cold, and prices them by the table of its own release.",
      ),
      ...conditionsSection(view),
      heading(2, "Limits"),
      list([
        "A mean without its samples has no interval: which of two sizes is faster or cheaper cannot be told from chance here.",
        "Samples are in the tuned function's log: import its REPORT lines instead, and there are medians, intervals and verdicts.",
      ]),
    ],
  };
}

function averagesTable(view: ReportView, rows: readonly Row[]): Table {
  return tableOf<Row>(
    {
      id: "averages",
      caption:
        "Average Duration and average cost of an invocation, as the tool gives them, without an interval. A million is the cost times 1,000,000.",
      rowHeaders: cellColumnCount(view),
      headline: true,
    },
    [
      ...cellColumns<Row>(view, ({ cell }) => cell),
      numberColumn("n", () => missing),
      numberColumn("Average ms", ({ durationMs }) => number(durationMs)),
      numberColumn("USD per million", ({ costUsd }) =>
        costUsd === undefined ? missing : number(costUsd * 1_000_000, 4),
      ),
      textColumn("Interval", () => "none: no samples"),
    ],
    rows,
  );
}
