import type { MetricName } from "../analysis/collected-series.ts";
import { claimsDirection } from "../analysis/on-lambda.ts";
import type { Compared } from "../analysis/series-ratio.ts";
import type { Measure, Phase, Tail } from "../analysis/series-view.ts";
import { groupBy } from "../contract/group-by.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import { code, type Text } from "./document/document.ts";
import {
  count,
  measureText,
  metricName,
  missing,
  number,
  plural,
  ratioText,
  spanOfRange,
  verdictText,
} from "./document/format.ts";
import { inlineMarkdown } from "./render/escape.ts";

/** The most rows of decided comparisons, undecided ones, and groups of the rest. */
const most = {
  decided: 15,
  decidedBesideOpen: 9,
  fasterBesideSlower: 4,
  open: 6,
  groups: 12,
} as const;

/** A comparison of two series. */
export interface CommentRow extends Compared {
  /** The function and its size. */
  readonly name: string;
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: MetricName;
  /** Absent if there is none. */
  readonly before: Measure | undefined;
  readonly after: Measure | undefined;
  /** 90% range of the ratio on Lambda, for local runs. Absent if there is no prediction. */
  readonly onLambda?: LambdaRange;
  readonly beforeP95: Tail | undefined;
  readonly afterP95: Tail | undefined;
  /** The parts of a cold start: Init, the restore of a snapshot, and the first Duration, in this order. */
  readonly parts?: readonly (readonly [before: Measure | undefined, after: Measure | undefined])[];
}

/** Headings of the means. */
export type Sides = readonly [before: string, after: string];

export const startParts = ["initDurationMs", "restoreDurationMs", "durationMs"] as const;
const startPartNames = {
  initDurationMs: "Init",
  restoreDurationMs: "Restore",
  durationMs: "first Duration",
} as const;

export function callText({ phase, operation, quantity }: CommentRow): string {
  return `${phase} ${operation}${quantity === "durationMs" ? "" : `, ${metricName(quantity)}`}`;
}

/** Titles of the tables of slower and faster comparisons, in the singular. */
export type Titles = readonly [slower: string, faster: string];

/** Returns one table of slower and one of faster comparisons, the largest difference first. */
export function decidedTables(
  decided: readonly CommentRow[],
  sides: Sides,
  titles: Titles,
  isAnyOpen: boolean,
): readonly string[] {
  const room = isAnyOpen ? most.decidedBesideOpen : most.decided;
  const slower = decided.filter(({ verdict }) => verdict === "slower");
  const faster = decided.filter(({ verdict }) => verdict === "faster");
  const ofFaster = Math.min(faster.length, Math.max(most.fasterBesideSlower, room - slower.length));
  return [
    ...changeTable(slower, `❌ ${plural(slower.length, titles[0])}`, sides, room - ofFaster),
    ...changeTable(faster, `✅ ${plural(faster.length, titles[1])}`, sides, ofFaster),
  ];
}

function changeTable(
  rows: readonly CommentRow[],
  title: string,
  [before, after]: Sides,
  room: number,
): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, room);
  const notShown = rows.length - shown.length;
  const more = notShown === 0 ? [] : [`And ${count(notShown)} more, each a smaller difference.`];
  return [
    `**${title}**`,
    table(
      ["function", "call", "ratio [95% CI]", before, after, "median ms", "P95 ms", "parts"],
      shown.map((row) => [
        [code(row.name)],
        callText(row),
        ratioText(row),
        measureText(row.before),
        measureText(row.after),
        changeText(row.before?.median, row.after?.median),
        changeText(row.beforeP95?.value, row.afterP95?.value),
        partsText(row),
      ]),
    ),
    ...more,
  ];
}

/** Lists the largest possible slowdowns with their intervals, and fewer of them if many others are decided. */
export function openTable(open: readonly CommentRow[], decided: number): readonly string[] {
  if (open.length === 0) return [];
  const room = Math.max(3, Math.min(most.open, most.decided - decided));
  const shown = open.toSorted((a, b) => (b.high ?? 0) - (a.high ?? 0)).slice(0, room);
  const notShown = open.length - shown.length;
  return [
    `**❓ ${count(open.length)} undecided**`,
    table(
      ["function", "call", "ratio [95% CI]", "why"],
      shown.map((row) => [[code(row.name)], callText(row), ratioText(row), verdictText(row)]),
    ),
    ...(notShown === 0 ? [] : [`And ${count(notShown)} more undecided.`]),
  ];
}

/** Returns `20.0 → 30.0`, or `missing` if neither side has a value. */
function changeText(before: number | undefined, after: number | undefined): string {
  return before === undefined && after === undefined
    ? missing
    : `${number(before)} → ${number(after)}`;
}

/** Returns the parts of a cold start: `Init 7.06 → 17.5, first Duration 290 → 2.79`. */
function partsText({ parts }: CommentRow): string {
  if (parts === undefined) return missing;
  return startParts
    .flatMap((quantity, index) => {
      const [before, after] = (parts[index] ?? []).map((part) => part?.mean);
      return before === undefined && after === undefined
        ? []
        : [`${startPartNames[quantity]} ${changeText(before, after)}`];
    })
    .join(", ");
}

/** Groups the remaining comparisons by call: one line per call for all functions and sizes. */
export function groupTable(rest: readonly CommentRow[]): readonly string[] {
  if (rest.length === 0) return [];
  const groups = groupBy(rest, callText);
  const shown = [...groups].slice(0, most.groups);
  const notShown = groups.size - shown.length;
  return [
    table(
      ["call", "equivalent", "inconclusive", "ratios"],
      shown.map(([name, rows]) => {
        const equivalent = rows.filter(({ verdict }) => verdict === "equivalent").length;
        return [name, count(equivalent), count(rows.length - equivalent), rangeText(rows)];
      }),
    ),
    ...(notShown === 0 ? [] : [`And ${plural(notShown, "other call")}.`]),
  ];
}

function rangeText(rows: readonly CommentRow[]): string {
  const ratios = rows.flatMap(({ ratio }) => ratio ?? []);
  if (ratios.length === 0) return missing;
  const [least, largest] = [Math.min(...ratios), Math.max(...ratios)].map((each) =>
    number(each, 2),
  );
  return least === largest ? `${least}` : `${least} to ${largest}`;
}

function table(head: readonly string[], rows: readonly (readonly Text[])[]): string {
  const line = (cells: readonly Text[]) => `| ${cells.map(inlineMarkdown).join(" | ")} |`;
  return [line(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}

const mostShown = 4;

/** Predicts the decided comparisons of local runs on Lambda, in one line. Returns none without any prediction. */
export function lambdaLines(decided: readonly CommentRow[]): readonly string[] {
  const ranged = decided.flatMap((row) =>
    row.onLambda === undefined ? [] : [{ row, range: row.onLambda }],
  );
  if (ranged.length === 0) return [];
  const claimed = ranged.filter(({ range }) => claimsDirection(range));
  const shown = claimed
    .slice(0, mostShown)
    .flatMap(({ row, range }, index) => [
      index === 0 ? "" : "; ",
      ...[code(row.name), `, ${callText(row)}, ${spanOfRange(range)} times`],
    ]);
  const notShown = claimed.length - Math.min(claimed.length, mostShown);
  const more = notShown === 0 ? "" : `; and ${count(notShown)} more on one side of 1`;
  const open = ranged.length - claimed.length;
  const either =
    open === 0
      ? ""
      : `${claimed.length === 0 ? "" : "; "}either may be faster in ${count(open)} of ${count(ranged.length)} decided here`;
  return [inlineMarkdown(["On Lambda (90% ranges of the ratio): ", ...shown, `${more}${either}.`])];
}
