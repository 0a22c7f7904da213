import type { SeriesChange } from "../analysis/compare-runs.ts";
import { primaryOnly } from "../analysis/family.ts";
import {
  link,
  makeTable,
  numberColumn,
  rowHeader,
  type Table,
  verdictColumn,
} from "./document/document.ts";
import { groupedNumber, missing, plural, ratioText, verdictWords } from "./document/format.ts";

const mostRows = 6;

/** Shows the changes to read first: those that lost calls, slower ones, then faster ones, then the largest undecided ones. */
export function changesAnswer(changes: readonly SeriesChange[]): Table {
  const ranked = primaryOnly(changes).toSorted(
    (a, b) => rank(a) - rank(b) || effect(b) - effect(a),
  );
  const notShown = ranked.length - mostRows;
  const several = new Set(changes.map(({ experiment }) => experiment)).size > 1;
  const others = `Not shown here: ${plural(notShown, "other series", "other series")}.`;
  const caption = "Means, ms; above 1 the later run takes longer.";
  return makeTable<SeriesChange>(
    {
      id: "answer",
      ...(notShown > 0 ? { caption: `${caption} ${others}`, notShown: others } : { caption }),
    },
    [
      several ? rowHeader("experiment", ({ experiment }) => experiment) : undefined,
      rowHeader("series", ({ cell, phase, operation }) =>
        phase === "cold" ? `${cell.id} cold` : `${cell.id} ${phase} ${operation}`,
      ),
      numberColumn(
        "before → after, ms",
        ({ before, after }) => `${groupedNumber(before?.mean)} → ${groupedNumber(after?.mean)}`,
      ),
      numberColumn("ratio [95% CI]", (change) =>
        change.unsound === undefined
          ? [link(ratioText(change), changeRowId(changes, change))]
          : missing,
      ),
      verdictColumn("verdict", ({ verdict, unsound }) => {
        if (unsound !== undefined) return "not compared";
        return verdictWords[verdict];
      }),
    ],
    ranked.slice(0, mostRows),
  );
}

/** A series that lost calls is the first to read, and has no verdict: the calls that are left may be the easy ones. */
function rank({ verdict, unsound }: SeriesChange): number {
  return unsound === undefined ? order[verdict] : -1;
}

const order = { slower: 0, faster: 1, undecided: 2, equivalent: 3 } as const;

/** Returns the size of a change, or the largest possible size of an undecided one. */
function effect({ verdict, ratio = 1, low = ratio, high = ratio }: SeriesChange): number {
  return verdict === "undecided"
    ? Math.max(Math.log(high), -Math.log(low))
    : Math.abs(Math.log(ratio));
}

/** Returns the id of a change's row in the table of all series. */
export function changeRowId(changes: readonly SeriesChange[], change: SeriesChange): string {
  return `changes-row-${changes.indexOf(change) + 1}`;
}
