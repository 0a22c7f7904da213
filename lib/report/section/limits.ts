import { type LimitVerdict, limitFinding } from "../../analysis/limits.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  heading,
  list,
  makeTable,
  numberColumn,
  textColumn,
  verdictColumn,
} from "../document/document.ts";
import { count, missing, number } from "../document/format.ts";
import { boundsText, limitCounts, limitText, limitVerdictText } from "../limit-text.ts";

/** Lists every limit with the measured value, for each function and size; empty if no limits were given. */
export function limitSection(view: ReportView): readonly Block[] {
  const { limits } = view;
  if (limits === undefined) return [];
  const takeaway = `${limitCounts(limitFinding(limits))}, of ${count(limits.length)}.`;
  return [
    heading(2, "Limits that were given", takeaway),
    makeTable<LimitVerdict>(
      { id: "limits", caption: "Each function and size, in ms or MB." },
      [
        ...cellColumns(view, ({ cell }: LimitVerdict) => cell),
        textColumn("Operation", ({ operation }) => operation ?? missing),
        textColumn("Limit", ({ limit }) => limitText(limit)),
        numberColumn("Measured", ({ value }) => number(value)),
        textColumn("95% bounds", boundsText),
        numberColumn("Environments", ({ environments }) =>
          environments === 0 ? missing : count(environments),
        ),
        verdictColumn("Verdict", limitVerdictText),
      ],
      limits,
    ),
    list([
      "Met: what it is at the most, with 95% confidence, lies below the limit. Missed: what it is at least does not. Undecided: neither. Means and medians have their 95% CI, that of a mean with a higher end if a few environments take much longer; P95 and P99 have one-sided bounds, which take 59 and 299 cold starts, and where they are missing the longest call stands in their place.",
      "A mean is judged by the environments that were seen. Of a kind of slow environment that is one in ten, 9 environments have seen none in 39 of 100 runs, and 29 in 5.",
      "Memory: the most that an environment used; a limit is missed if any reaches it. Package: the zip, or the unpacked files of a folder.",
    ]),
  ];
}
