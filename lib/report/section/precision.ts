import type { StoppingReason, StoppingRule } from "../../contract/types/contract.ts";
import {
  code,
  heading,
  numberColumn,
  paragraph,
  remark,
  strong,
  tableOf,
  textColumn,
  warning,
} from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block, Note, Text } from "../document/document.ts";
import { ratioText } from "../document/format-measure.ts";
import { count, percent, plural } from "../document/format-number.ts";
import { quantityName } from "../document/quantity-name.ts";
import type { Precision, WideRatio } from "../view/precision.ts";
import type { ReportView } from "../view/report-view.ts";
import { limited } from "./limited.ts";

/** What ended a run that was to go on until its ratios are precise; nothing of any other run. */
export function precisionNote(view: ReportView): readonly Note[] {
  const { stopping } = view.plan;
  const { precision } = view;
  if (stopping === undefined || precision === undefined) return [];
  const { endedBy } = view.manifest.stopping ?? {};
  const after = `after ${plural(view.plan.sizes.environments, "block")}`;
  const found = foundText(precision, stopping);
  if (endedBy === "precision")
    return [remark([strong("Ended by its precision:"), ` ${after} ${found}`])];
  const what =
    endedBy === undefined
      ? "Not ended by its stopping rule:"
      : `Ended by ${boundText(endedBy, stopping)}, not by its precision:`;
  return [warning([strong(what), ` ${after} ${found}`])];
}

function foundText({ ratios, wide, widest }: Precision, { untilPrecision }: StoppingRule): string {
  const aim = `±${share(untilPrecision)}`;
  const most = widest?.halfWidth === undefined ? "" : ` (widest ±${share(widest.halfWidth)})`;
  if (ratios === 0) return "there is no ratio.";
  return wide.length === 0
    ? `each of ${plural(ratios, "ratio")} is known to ${aim} or better${most}.`
    : `${count(wide.length)} of ${plural(ratios, "ratio")} ${wide.length === 1 ? "is" : "are"} not known to ${aim}${most}; see Precision.`;
}

/** `its budget of 4,750 samples`. */
function boundText(
  by: Exclude<StoppingReason, "precision">,
  { maxSamples, maxMinutes, maxCostUsd }: StoppingRule,
): string {
  switch (by) {
    case "maxSamples":
      return `its budget of ${count(maxSamples)} samples (maxSamples)`;
    case "maxMinutes":
      return `its budget of ${maxMinutes} minutes (maxMinutes)`;
    case "maxCostUsd":
      return `its budget of ${maxCostUsd} USD (maxCostUsd, by the estimate)`;
    case "largestPlan":
      return "the most blocks that a plan has";
  }
}

/** Each ratio that is not as precise as it was to be. */
export function precisionSection(view: ReportView): readonly Block[] {
  const { precision } = view;
  const { stopping } = view.plan;
  if (precision === undefined || stopping === undefined || precision.wide.length === 0) return [];
  return [
    heading(2, "Precision"),
    paragraph(
      `These ratios did not reach ±${share(stopping.untilPrecision)}: half the width of the 95 % interval, as a share of the ratio. More blocks would narrow them: half as wide an interval takes about four times as many.`,
    ),
    ...limited(precision.wide, (rows) =>
      tableOf<WideRatio>(
        {
          id: "wide-ratios",
          caption: `Ratios wider than ±${share(stopping.untilPrecision)}, the widest first.`,
          rowHeaders: cellColumnCount(view),
        },
        [
          ...cellColumns<WideRatio>(view, ({ comparison }) => comparison.cell),
          textColumn("Phase", ({ comparison }) => comparison.phase),
          textColumn("Operation", ({ comparison }) => [code(comparison.operation)]),
          textColumn("Quantity", ({ comparison }) => quantityName(comparison.quantity)),
          numberColumn("Ratio", ({ comparison }) => ratioText(comparison)),
          numberColumn("Half-width", ({ halfWidth }) =>
            halfWidth === undefined ? "no interval" : `±${share(halfWidth)}`,
          ),
        ],
        rows,
      ),
    ),
  ];
}

/** How the rule looked at the data, and what that does to an interval. */
export function stoppingMethod({ plan }: ReportView): readonly Text[] {
  const { stopping } = plan;
  if (stopping === undefined) return [];
  return [
    `Blocks were added until half the width of every ratio's 95 % interval was at most ${share(stopping.untilPrecision)} of the ratio, or the budget was spent (${count(stopping.maxSamples)} samples, ${stopping.maxMinutes} minutes${stopping.maxCostUsd === undefined ? "" : `, ${stopping.maxCostUsd} USD`}): no look before the preset's own blocks, then one after each tenth more. Where an interval lies played no part in it, only how wide it is: to end by significance would find differences that are not there, to end by width favours no verdict (Chow and Robbins, Annals of Mathematical Statistics 36, 1965; Kelley, Darku and Chattopadhyay, Psychological Methods 23, 2018). But it favours moments at which an interval is narrow by chance, so that somewhat fewer than 95 of 100 may hold the truth: how many is measured in Kelvin's docs/coverage.md.`,
  ];
}

function share(value: number): string {
  return percent(value, value < 0.0995 && !Number.isInteger(Math.round(value * 1e6) / 1e4) ? 1 : 0);
}
