import type { MetricName } from "../analysis/collected-series.ts";
import { primaryOnly } from "../analysis/family.ts";
import { findEffects } from "../analysis/findings.ts";
import { gateFinding } from "../analysis/gate.ts";
import { variantLabel } from "../analysis/report-subject.ts";
import type { ReportView } from "../analysis/report-view.ts";
import { listReportedCells } from "../analysis/select.ts";
import type { Compared } from "../analysis/series-ratio.ts";
import type { Measure, Phase, SeriesView, Tail } from "../analysis/series-view.ts";
import type { Cell } from "../contract/types/contract.ts";
import { code, type Note, plain, type Text } from "./document/document.ts";
import {
  count,
  measureText,
  metricName,
  missing,
  number,
  percent,
  plural,
  ratioText,
  verdictText,
} from "./document/format.ts";
import type { Answer } from "./first-screen/first-screen.ts";
import { notComparedTexts } from "./gate-text.ts";
import { inlineMarkdown, lineMarkdown } from "./render/escape.ts";
import { type TwoRuns, twoRunsNotes } from "./two-runs-document.ts";

/** One series held against another. */
interface CommentRow extends Compared {
  /** It names the function and its size. */
  readonly name: string;
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: MetricName;
  /** Absent where there is none. */
  readonly before: Measure | undefined;
  readonly after: Measure | undefined;
  readonly beforeP95: Tail | undefined;
  readonly afterP95: Tail | undefined;
  /** The parts of a cold start: Init, a snapshot's restore and the first Duration, in this order. */
  readonly parts?: readonly (readonly [before: Measure | undefined, after: Measure | undefined])[];
}

/** What a comment is put together from. */
interface CommentParts {
  /** In one line, without its mark-up. */
  readonly verdict: string;
  readonly notes: readonly Note[];
  /** Headings of the means. */
  readonly sides: readonly [before: string, after: string];
  readonly rows: readonly CommentRow[];
  /** Beside the rest, folded. */
  readonly folded: readonly Text[];
}

/** Rows of what is decided, groups of the rest, and lines beside it: together under 60 lines. */
const most = { decided: 15, groups: 12, notes: 4, folded: 8, series: 15 } as const;

/**
 * What `kelvin compare` says of two runs, for a pull request: GitHub's Markdown, a line of verdict, a table
 * of what is decided, and the rest folded.
 */
export function twoRunsComment(compared: TwoRuns): string {
  const { margin, before, after, differences } = compared;
  const changes = primaryOnly(compared.changes);
  const several = new Set(changes.map(({ experiment }) => experiment)).size > 1;
  const rows = changes.map(
    (change): CommentRow => ({
      ...change,
      name: several ? `${change.experiment} ${change.cell.id}` : change.cell.id,
      ...(change.phase === "cold" && { parts: partsOf(compared.changes, change) }),
    }),
  );
  const conditions = differences.map(
    (each) => `${each.what}: ${each.before ?? missing} before, ${each.after ?? missing} after`,
  );
  return comment({
    verdict: verdictLine(rows, "series of both runs", compared.notCompared),
    notes: twoRunsNotes(compared),
    sides: ["before ms", "after ms"],
    rows,
    folded: [
      readingText(margin),
      ["Held against each other: ", code(before), " before, ", code(after), " after."],
      conditions.length === 0
        ? "Nothing that the runs say of their conditions differs."
        : `What differs in the conditions: ${conditions.join("; ")}.`,
    ],
  });
}

/** The parts of a cold start that a change is of. */
function partsOf(
  changes: TwoRuns["changes"],
  { cell, phase, experiment }: TwoRuns["changes"][number],
) {
  return startParts.map((quantity) => {
    const part = changes.find(
      (each) =>
        each.quantity === quantity &&
        each.cell.id === cell.id &&
        each.phase === phase &&
        each.experiment === experiment,
    );
    return [part?.before, part?.after] as const;
  });
}

const startParts = ["initDurationMs", "restoreDurationMs", "durationMs"] as const;
const startPartNames = {
  initDurationMs: "Init",
  restoreDurationMs: "Restore",
  durationMs: "first Duration",
} as const;

/** The same of the variants of one run. */
export function runComment(view: ReportView, { block, finding }: Answer): string {
  const { subject, comparisons, margin } = view;
  const label = (id: string) => variantLabel(subject, id);
  const notes = block.blocks.filter((each): each is Note => each.kind === "note");
  const rows = primaryOnly(comparisons.variants).map((each): CommentRow => {
    const { cell, baselineCell, quantity } = each;
    const name = `${label(cell.variant)} at ${cell.memoryMb} MB ${cell.architecture}`;
    const [before, after] = [baselineCell, cell].map((of) =>
      findSeries(view, { ...each, cell: of }),
    );
    const isStart = quantity === "initAndDurationMs";
    const compared = isStart ? "initAndDurationMs" : "durationMs";
    const p95 = isStart ? "initAndDurationP95Ms" : "durationP95Ms";
    return {
      ...each,
      name,
      ...{ before: before?.[compared], after: after?.[compared] },
      ...{ beforeP95: before?.[p95], afterP95: after?.[p95] },
      ...(isStart && {
        parts: startParts.map((part) => [before?.[part], after?.[part]] as const),
      }),
    };
  });
  const baseline = label(subject.baselineVariant);
  const [first = "", ...others] = plain(finding).split(/(?<=\.) (?=[A-Z])/);
  const verdict =
    rows.length === 0
      ? first
      : verdictLine(rows, `comparisons with ${baseline}`, notComparedOf(view));
  const alone = [...(others.length === 0 ? [] : [others.join(" ")]), ...seriesLines(view, label)];
  return comment({
    verdict,
    notes,
    sides: [`${baseline} ms`, "ms"],
    rows,
    folded: [readingText(margin), ...(rows.length === 0 ? alone : [finding])],
  });
}

function notComparedOf({ comparisons, manifest }: ReportView): readonly string[] {
  return notComparedTexts(
    gateFinding({ comparisons: comparisons.variants, manifests: [manifest] }),
  );
}

function findSeries(
  { series }: ReportView,
  { cell, phase, operation }: Pick<CommentRow, "phase" | "operation"> & { readonly cell: Cell },
): SeriesView | undefined {
  return series.find(
    (one) => one.cell.id === cell.id && one.phase === phase && one.operation === operation,
  );
}

/** `Of 84 series of both runs: 2 slower, at most 1.50 [1.44, 1.56] times (python-arm64-128, warm get)`. */
function verdictLine(
  rows: readonly CommentRow[],
  what: string,
  notCompared: readonly string[],
): string {
  const cause = notCompared.length === 0 ? "" : `Not compared in full: ${notCompared.join("; ")}. `;
  return `${cause}${comparedLine(rows, what)}`;
}

function comparedLine(rows: readonly CommentRow[], what: string): string {
  const { effects } = findEffects(rows);
  const clauses = effects
    .toSorted((a, b) => (a.direction === b.direction ? 0 : a.direction === "slower" ? -1 : 1))
    .map(({ direction, decided, most: { times, low, high, of } }) => {
      const interval = `${number(times, 2)} [${number(low, 2)}, ${number(high, 2)}]`;
      return `${count(decided.length)} ${direction}, at most ${interval} times (${of.name}, ${callText(of)})`;
    });
  const all = `${count(rows.length)} ${what}`;
  if (clauses.length > 0) return `Of ${all}: ${clauses.join("; ")}`;
  const equivalent = rows.filter(({ verdict }) => verdict === "equivalent").length;
  return equivalent === rows.length
    ? `Nothing is slower or faster: all ${all} are equivalent`
    : `Nothing is called slower or faster: of ${all} ${count(equivalent)} are equivalent, ${count(rows.length - equivalent)} inconclusive`;
}

function callText({ phase, operation, quantity }: CommentRow): string {
  return `${phase} ${operation}${quantity === "durationMs" ? "" : `, ${metricName(quantity)}`}`;
}

function readingText(margin: number): string {
  return `Slower or faster: the whole 95 % CI of the ratio lies beyond the margin of ${percent(margin)}, and the difference is significant after correction for the number of comparisons. Inconclusive is not equal. Ratios are of means over execution environments; a cold start is Init and the first Duration together.`;
}

function comment({ verdict, notes, sides, rows, folded }: CommentParts): string {
  const decided = ["slower", "faster"].flatMap((direction) =>
    rows
      .filter((row) => row.verdict === direction)
      .toSorted((a, b) => Math.abs(Math.log(b.ratio ?? 1)) - Math.abs(Math.log(a.ratio ?? 1))),
  );
  const rest = rows.filter(({ verdict: own }) => own !== "slower" && own !== "faster");
  return `${[
    `### ${inlineMarkdown(verdict)}`,
    ...limited(notes, most.notes).map(
      ({ tone, text }) =>
        `> **${tone === "warning" ? "Warning" : "Note"}:** ${inlineMarkdown(text)}`,
    ),
    ...decidedTable(decided, sides),
    `<details>\n<summary>${inlineMarkdown(restText(rest))}</summary>`,
    ...groupTable(rest),
    limited(folded, most.folded)
      .map((text) => `- ${lineMarkdown(text)}`)
      .join("\n"),
    "</details>",
  ].join("\n\n")}\n`;
}

function limited<Item>(items: readonly Item[], length: number): readonly Item[] {
  return items.slice(0, length);
}

function restText(rest: readonly CommentRow[]): string {
  if (rest.length === 0) return "How to read it";
  const equivalent = rest.filter(({ verdict }) => verdict === "equivalent").length;
  return `The rest: ${count(equivalent)} equivalent, ${count(rest.length - equivalent)} inconclusive; and how to read it`;
}

function decidedTable(
  decided: readonly CommentRow[],
  [before, after]: CommentParts["sides"],
): readonly string[] {
  if (decided.length === 0) return [];
  const shown = decided.slice(0, most.decided);
  const left = decided.length - shown.length;
  const more = left === 0 ? [] : [`And ${count(left)} more, each a smaller difference.`];
  return [
    table(
      [
        "function",
        "call",
        before,
        after,
        "ratio [95 % CI]",
        "verdict",
        "median ms",
        "P95 ms",
        "parts",
      ],
      shown.map((row) => [
        [code(row.name)],
        callText(row),
        measureText(row.before),
        measureText(row.after),
        ratioText(row),
        verdictText(row),
        changeText(row.before?.median, row.after?.median),
        changeText(row.beforeP95?.value, row.afterP95?.value),
        partsText(row),
      ]),
    ),
    ...more,
  ];
}

/** `20.0 → 30.0`; missing where neither side has one. */
function changeText(before: number | undefined, after: number | undefined): string {
  return before === undefined && after === undefined
    ? missing
    : `${number(before)} → ${number(after)}`;
}

/** `Init 7.06 → 17.5, first Duration 290 → 2.79`, of a cold start. */
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

/** What was not decided, by its call: a line each, however many functions and sizes there are. */
function groupTable(rest: readonly CommentRow[]): readonly string[] {
  if (rest.length === 0) return [];
  const groups = new Map<string, CommentRow[]>();
  for (const row of rest) groups.set(callText(row), [...(groups.get(callText(row)) ?? []), row]);
  const shown = [...groups].slice(0, most.groups);
  const left = groups.size - shown.length;
  return [
    table(
      ["call", "equivalent", "inconclusive", "ratios"],
      shown.map(([name, rows]) => {
        const equivalent = rows.filter(({ verdict }) => verdict === "equivalent").length;
        return [name, count(equivalent), count(rows.length - equivalent), rangeText(rows)];
      }),
    ),
    ...(left === 0 ? [] : [`And ${plural(left, "other call")}.`]),
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

/** seriesLines tells what the cells took in a run that compares nothing. */
function seriesLines(view: ReportView, label: (id: string) => string): readonly Text[] {
  const cells = listReportedCells(view);
  const lines = cells.slice(0, most.folded - 2).map((cell): Text => {
    const own = view.series.filter((series) => series.cell.id === cell.id);
    const times = own
      .map((each) => ({
        ...each,
        timeMs: each[each.phase === "cold" ? "initAndDurationMs" : "durationMs"],
      }))
      .filter(({ timeMs }) => timeMs?.mean !== undefined)
      .map(({ phase, operation, timeMs }) => `${phase} ${operation} ${measureText(timeMs)} ms`);
    return `${label(cell.variant)} at ${cell.memoryMb} MB: ${times.slice(0, most.series).join(", ")}`;
  });
  const left = cells.length - lines.length;
  return left === 0 ? lines : [...lines, `And ${plural(left, "other cell")}.`];
}

function table(head: readonly string[], rows: readonly (readonly Text[])[]): string {
  const line = (cells: readonly Text[]) => `| ${cells.map(inlineMarkdown).join(" | ")} |`;
  return [line(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}
