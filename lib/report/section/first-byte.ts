import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import { phases } from "../../analysis/series-view.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
} from "../document/document.ts";
import { measureText, missing, sizeText } from "../document/format.ts";
import { ratioColumns } from "./cold.ts";
import { spanText } from "./columns.ts";

/** Shows the time to first byte of streamed responses; empty if none was streamed. */
export function firstByteSection(view: ReportView): readonly Block[] {
  const rows = phases
    .flatMap((phase) => view.rows[phase])
    .filter(({ firstByteMs }) => firstByteMs !== undefined);
  if (rows.length === 0) return [];
  const means = rows.map(({ firstByteMs }) => firstByteMs?.mean);
  return [
    heading(2, "Time to first byte", spanText(means)),
    paragraph(
      "From the event's handing over to the first byte of a streamed answer. The Duration goes on until all of the answer is there; Init comes before both.",
    ),
    makeTable<Row>(
      { id: "first-byte", caption: "Time to first byte: mean [95% CI] over environments, ms." },
      [
        rowHeader("Phase", ({ phase }) => phase),
        rowHeader("Operation", ({ operation }) => [code(operation)]),
        ...cellColumns<Row>(view, ({ cell }) => cell),
        numberColumn("n in environments", ({ firstByteMs }) =>
          firstByteMs === undefined ? missing : sizeText(firstByteMs),
        ),
        numberColumn("First byte ms", ({ firstByteMs }) => measureText(firstByteMs)),
        numberColumn("Duration ms", ({ durationMs }) => measureText(durationMs)),
        ...ratioColumns(view, (row) => row.compared.firstByteMs),
      ],
      rows,
    ),
  ];
}
