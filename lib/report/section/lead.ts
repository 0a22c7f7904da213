import type { Cell } from "../../contract/types/contract.ts";
import { code, heading, numberColumn, paragraph, tableOf } from "../document/blocks.ts";
import { sizeColumns } from "../document/cell-labels.ts";
import type { Block, Table } from "../document/document.ts";
import { ratioText } from "../document/format-measure.ts";
import { labelOf } from "../report-subject.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparisonOf, sizesOf, variantsRun } from "../view/select.ts";

/** How a variant's ratio changes with memory: a row a size, a column an operation. */
export function leadSection(view: ReportView): readonly Block[] {
  const baseline = view.subject.baselineVariant;
  const others = variantsRun(view).filter((variant) => variant !== baseline);
  if (others.length === 0 || !variantsRun(view).includes(baseline)) return [];
  const sizes = sizesOf(view).length;
  return [
    heading(2, "The lead as it changes with memory"),
    paragraph(
      sizes === 1
        ? "One size was run: how the lead changes with memory cannot be told from it."
        : "Below 1769 MB a function has a share of a vCPU that grows with its memory. Where two sizes' intervals do not overlap, the lead has changed between them; where they do, no change can be claimed.",
    ),
    ...others.map((variant, index) => leadTable(view, variant, `lead-${index}`)),
  ];
}

function leadTable(view: ReportView, variant: string, id: string): Table {
  const cells = sizesOf(view).flatMap((group) => group.filter((cell) => cell.variant === variant));
  const { coldOperation, warmOperations, sizes } = view.plan;
  const warm = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const label = labelOf(view.subject, variant);
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  return tableOf<Cell>(
    {
      id,
      caption: `${label} against ${baseline}: ratio of Durations [95 % interval] by memory; above 1 ${label} takes longer.`,
      rowHeaders: sizeColumns(view, (cell: Cell) => cell).length,
    },
    [
      ...sizeColumns<Cell>(view, (cell) => cell),
      numberColumn("First request, Init included", (cell) =>
        ratioText(
          comparisonOf(
            view,
            { cell, phase: "cold", operation: coldOperation },
            "initAndDurationMs",
          ),
        ),
      ),
      ...warm.map((operation) =>
        numberColumn<Cell>(["Warm ", code(operation)], (cell) =>
          ratioText(comparisonOf(view, { cell, phase: "warm", operation }, "durationMs")),
        ),
      ),
    ],
    cells,
  );
}
