import { code, numberColumn, tableOf, textColumn } from "../document/blocks.ts";
import { cellColumns, sizeColumns } from "../document/cell-labels.ts";
import type { Block } from "../document/document.ts";
import { missing, percent } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { BreakEven } from "../view/break-even.ts";
import type { ReportView } from "../view/report-view.ts";

/** At which cold share variants of one size cost the same. */
export function breakEvenBlocks(
  view: ReportView,
  breakEvens: readonly BreakEven[],
): readonly Block[] {
  if (breakEvens.length === 0) return [];
  const name = (variant: string | undefined) =>
    variant === undefined ? "equal" : labelOf(view.subject, variant);
  const baseline = labelOf(view.subject, view.subject.baselineVariant);
  return [
    tableOf<BreakEven>(
      {
        id: "break-even",
        caption: `Break-even with ${baseline}: the share of cold invocations at which both cost the same, by the medians and without an interval. ${missing}: at no share between 0 and 100 %.`,
        rowHeaders: sizeColumns(view, ({ cell }: BreakEven) => cell).length + 1,
      },
      [
        ...cellColumns<BreakEven>(view, ({ cell }) => cell),
        textColumn("Operation", ({ operation }) => [code(operation)]),
        textColumn("Cheaper, all warm", ({ cheaperWarm }) => name(cheaperWarm)),
        textColumn("Cheaper, all cold", ({ cheaperCold }) => name(cheaperCold)),
        numberColumn("Equal at cold share", ({ coldShare }) =>
          coldShare === undefined ? missing : percent(coldShare, 2),
        ),
      ],
      breakEvens,
    ),
  ];
}
