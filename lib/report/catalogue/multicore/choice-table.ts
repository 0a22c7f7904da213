import { proseColumn, tableOf, textColumn } from "../../document/blocks.ts";
import { sizeLabel } from "../../document/cell-labels.ts";
import type { Table } from "../../document/document.ts";
import { missing } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import type { ReportView } from "../../view/report-view.ts";
import type { Best } from "./best.ts";
import type { Choice } from "./figures.ts";

/** The sizes to take, by variant; undecided where the run cannot tell them apart. */
export function choiceTable(view: ReportView, choices: readonly Choice[]): Table {
  return tableOf<Choice>(
    {
      id: "multicore-choice",
      caption:
        "Which size to take: the fastest, the cheapest by AWS's arithmetic, and the balanced one, of the least product of price and time. A size is named alone where its verdict against every other one is decided, beyond the margin and the noise floor of the A/A pair; else those are named that this run cannot tell apart.",
      rowHeaders: 1,
    },
    [
      textColumn("Variant", ({ variant }) => labelOf(view.subject, variant)),
      proseColumn("Fastest", ({ fastest }) => bestText(view, fastest)),
      proseColumn("Cheapest", ({ cheapest }) => bestText(view, cheapest)),
      proseColumn("Balanced", ({ balanced }) => bestText(view, balanced)),
    ],
    choices,
  );
}

export function bestText(view: ReportView, best: Best): string {
  switch (best.kind) {
    case "decided":
      return sizeLabel(view, best.cell);
    case "undecided":
      return `undecided: ${best.among.map((cell) => sizeLabel(view, cell)).join("; ")}`;
    case "no-choice":
      return missing;
  }
}
