import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { sizeColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  type Table,
} from "../document/document.ts";
import { ratioText } from "../document/format.ts";

/** Shows a variant's ratio by memory: one row per size, one column per operation. */
export function leadSection(view: ReportView): readonly Block[] {
  const baseline = view.subject.baselineVariant;
  const others = view.variants.filter((variant) => variant !== baseline);
  if (others.length === 0 || !view.variants.includes(baseline)) return [];
  const sizes = view.sizes.length;
  return [
    heading(
      2,
      "How the lead changes with memory",
      `Each operation's ratio to ${variantLabel(view.subject, baseline)}, size by size.`,
    ),
    paragraph(
      sizes === 1
        ? "Only one size was run, so how the lead changes with memory is unknown."
        : "Below 1769 MB a function has a share of a vCPU that grows with its memory. If the intervals of two sizes do not overlap, the lead has changed between them; if they do, no change is claimed.",
    ),
    ...others.map((variant, index) => leadTable(view, variant, `lead-${index}`)),
  ];
}

function leadTable(view: ReportView, variant: string, id: string): Table {
  const cells = view.sizes.flat().filter((cell) => cell.variant === variant);
  const { coldOperation, warmOperations, sizes } = view.plan;
  const warm = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const label = variantLabel(view.subject, variant);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return makeTable<Cell>(
    {
      id,
      caption: `${label} vs. ${baseline}: ratio of Durations [95% CI] by memory; above 1 ${label} takes longer.`,
    },
    [
      ...sizeColumns<Cell>(view, (cell) => cell),
      numberColumn("Cold start", (cell) =>
        ratioText(view.rowOf(cell, "cold", coldOperation)?.compared.initAndDurationMs),
      ),
      ...warm.map((operation) =>
        numberColumn<Cell>(["Warm ", code(operation)], (cell) =>
          ratioText(view.rowOf(cell, "warm", operation)?.compared.durationMs),
        ),
      ),
    ],
    cells,
  );
}
