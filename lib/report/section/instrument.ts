import {
  code,
  heading,
  numberColumn,
  paragraph,
  tableOf,
  textColumn,
  warning,
} from "../document/blocks.ts";
import type { Block } from "../document/document.ts";
import { ratioText, verdictText } from "../document/format-measure.ts";
import { count, missing, number, percent, plural } from "../document/format-number.ts";
import { quantityName } from "../document/quantity-name.ts";
import type { Comparison } from "../view/comparisons.ts";
import type { ReportView } from "../view/report-view.ts";
import { comparedText } from "./cold.ts";

/** What the instrument itself takes, and what it cannot tell apart. */
export function instrumentSection(view: ReportView): readonly Block[] {
  return [
    heading(2, "The instrument"),
    heading(3, "Its own cost"),
    floorBlock(view),
    heading(3, "Its noise floor: the same code, deployed twice"),
    ...twinBlocks(view),
  ];
}

function floorBlock({ manifest }: ReportView): Block {
  const { floor, target } = manifest;
  if (floor === undefined) {
    return target === "local"
      ? warning(
          "The host's own floor was not measured in this run: how much of each Duration is the instrument's cannot be told.",
        )
      : paragraph(
          "On AWS the times are Lambda's own (REPORT line); there is no host of ours to measure.",
        );
  }
  const { n, environments, durationMs, durationLowMs, durationHighMs, initDurationMs } = floor;
  const interval = `${number(durationMs)} [${number(durationLowMs)}, ${number(durationHighMs)}]`;
  return paragraph(
    `A function that does nothing, at full CPU, takes ${interval} ms a warm call (median; n = ${count(n)} in ${plural(environments, "environment")}) and ${number(initDurationMs)} ms of Init. That much of every Duration above is the host's, and is not subtracted.`,
  );
}

function twinBlocks(view: ReportView): readonly Block[] {
  const { twins } = view.comparisons;
  const [first] = twins;
  if (first === undefined) {
    return [
      warning(
        "No A/A pair was run: there is no noise floor, and the verdicts rest on the intervals and the margin alone.",
      ),
    ];
  }
  return [
    paragraph(
      `One cell (${first.cell.memoryMb} MB, ${first.cell.architecture}) was deployed under two names. A difference at that size which lies inside its floor is called undecided, whatever the interval says. At the other sizes no floor was measured: the verdicts there rest on the intervals and the margin alone.`,
    ),
    noiseTable(first, twins),
  ];
}

function noiseTable({ cell, baselineCell }: Comparison, twins: readonly Comparison[]): Block {
  return tableOf<Comparison>(
    {
      id: "noise-floor",
      caption: `A/A pair: ratio of ${cell.id} to ${baselineCell.id} [95 % interval]. The true ratio is 1; the floor is the farther bound of the interval.`,
      rowHeaders: 3,
    },
    [
      textColumn("Phase", (row) => row.phase),
      textColumn("Operation", (row) => [code(row.operation)]),
      textColumn("Quantity", (row) => quantityName(row.quantity)),
      numberColumn("n, and the other's", comparedText),
      numberColumn("Ratio", (row) => ratioText(row, 3)),
      numberColumn("Floor", ({ noiseFloor }) =>
        noiseFloor === undefined ? missing : `± ${percent(noiseFloor, 1)}`,
      ),
      textColumn("Verdict", verdictText),
    ],
    twins,
  );
}
