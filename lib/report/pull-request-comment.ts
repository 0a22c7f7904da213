import type { Comparison } from "../analysis/comparisons.ts";
import { primaryOnly } from "../analysis/family.ts";
import { type GateFinding, gatedComparisons, gateFinding } from "../analysis/gate.ts";
import { gateRemedy } from "../analysis/gate-remedy.ts";
import type { ReportView } from "../analysis/report-view.ts";
import type { Measure, Tail } from "../analysis/series-view.ts";
import { groupBy } from "../contract/group-by.ts";
import { functionsExperimentId } from "../plan/functions-subject.ts";
import { baselineName, comparisonName } from "./document/cell-labels.ts";
import {
  type Block,
  type ColumnOf,
  code,
  details,
  list,
  makeTable,
  numberColumn,
  paragraph,
  plain,
  proseColumn,
  type ReportDocument,
  rowHeader,
  strong,
  type Text,
  textColumn,
} from "./document/document.ts";
import {
  count,
  measureText,
  missing,
  number,
  plural,
  ratioText,
  verdictText,
  verdictWords,
} from "./document/format.ts";
import type { Answer } from "./first-screen/first-screen.ts";
import { isSound } from "./first-screen/sound-comparisons.ts";
import {
  callText,
  comparedText,
  lambdaText,
  type NamedComparison,
  notComparedTexts,
  readingText,
  remedyText,
  restText,
} from "./gate-text.ts";
import { limitItems } from "./limit-text.ts";
import { limited, rangeText } from "./section/columns.ts";
import { eachRunWith, type TwoRuns, twoRunsNotes } from "./two-runs-document.ts";

/** A comparison of two series. */
interface CommentRow extends NamedComparison {
  readonly descriptive?: true;
  /** Absent if there is none. */
  readonly before: Measure | undefined;
  readonly after: Measure | undefined;
  readonly beforeP95: Tail | undefined;
  readonly afterP95: Tail | undefined;
  /** The parts of a cold start, and nothing of another call. */
  readonly parts: string;
}

interface CommentParts {
  readonly rows: readonly CommentRow[];
  readonly gate: GateFinding<CommentRow>;
  /** The verdict in one line. */
  readonly title: string;
  /** What precedes the tables. */
  readonly opening: readonly Block[];
  /** The remedy that would decide the open comparisons. */
  readonly remedy?: string;
  /** Headings of the means, and titles of the tables, in the singular. */
  readonly sides: readonly [before: string, after: string];
  readonly titles: readonly [slower: string, faster: string];
  /** Lines that are folded with the rest. */
  readonly folded: readonly Text[];
}

/** A difference between two builds of a function is a change; one between two variants is not. */
const titlesOf = {
  builds: ["regression", "improvement"],
  variants: ["slower comparison", "faster comparison"],
} as const;

/** The most rows and lines of each kind. Together they keep a comment under 60 lines. */
const most = {
  ...{ limits: 3, notes: 4, folded: 8 },
  ...{ decided: 15, decidedBesideOpen: 8, fasterBesideSlower: 4, open: 6, groups: 12 },
} as const;

/**
 * Returns the result of `kelvin compare` as a comment on a pull request: a verdict line and tables of decided and open
 * comparisons, with the rest folded.
 */
export function twoRunsComment(compared: TwoRuns): ReportDocument {
  const { margin, before, after, differences, notCompared, remedy } = compared;
  const rows = changeRows(compared);
  const gate = gateFinding({ comparisons: rows, margin, manifests: [] });
  const conditions = differences.map(
    (each) => `${each.what}: ${each.before ?? missing} before, ${each.after ?? missing} after`,
  );
  return comment({
    rows,
    gate,
    title: comparedText({ rows, what: "series", against: "before", gate, notCompared }),
    opening: twoRunsNotes(compared).slice(0, most.notes),
    ...(remedy !== undefined && { remedy: remedyText(remedy, eachRunWith(remedy)) }),
    sides: ["before ms", "after ms"],
    titles: titlesOf.builds,
    folded: [
      ["Compared: ", code(before), " (before) with ", code(after), " (after)."],
      conditions.length === 0
        ? "The two runs record the same conditions."
        : `Conditions that differ: ${conditions.join("; ")}.`,
    ],
  });
}

function changeRows({ changes }: TwoRuns): readonly CommentRow[] {
  const sound = primaryOnly(changes).filter(isSound);
  const several = new Set(sound.map(({ experiment }) => experiment)).size > 1;
  return sound.map((change): CommentRow => {
    const { experiment, cell, phase } = change;
    const partOf = (part: StartPart) =>
      changes.find(
        (each) =>
          each.quantity === part &&
          each.phase === phase &&
          each.cell.id === cell.id &&
          each.experiment === experiment,
      );
    const startText = () => partsText((part) => [partOf(part)?.before, partOf(part)?.after]);
    const name = several ? `${experiment} ${cell.id}` : cell.id;
    return { ...change, name, parts: phase === "cold" ? startText() : missing };
  });
}

/** Like twoRunsComment, for the variants of one run. */
export function runComment(view: ReportView, { block, finding }: Answer): ReportDocument {
  const { comparisons, margin, manifest, plan } = view;
  const manifests = [manifest];
  const judged = gatedComparisons(comparisons);
  const rows = primaryOnly(judged)
    .filter(isSound)
    .map((each) => runRow(view, each));
  const bases = new Set(judged.map((each) => baselineName(view, each)));
  const baseline = bases.size > 1 ? undefined : [...bases][0];
  const gate = gateFinding({ comparisons: rows, margin, manifests });
  const notCompared = notComparedTexts(gateFinding({ comparisons: judged, margin, manifests }));
  const remedy = gateRemedy(gate, plan, manifests);
  const named = { what: "comparisons", against: baseline ?? "its base" };
  const isAlone = primaryOnly(judged).length === 0;
  const [first = "", ...others] = plain(finding).split(/(?<=\.) (?=[A-Z])/);
  return comment({
    rows,
    gate,
    title: isAlone ? first : comparedText({ rows, gate, notCompared, ...named }),
    opening: openingBlocks(view, block, isAlone),
    ...(remedy !== undefined && { remedy: remedyText(remedy) }),
    sides: [`${baseline ?? "base"} ms`, "ms"],
    titles: titlesOf[plan.experiment === functionsExperimentId ? "builds" : "variants"],
    folded: isAlone ? others : [finding],
  });
}

/** Returns the limits, the chart and the notes of the first screen; of one function alone, also its table. */
function openingBlocks(
  view: ReportView,
  { blocks, chart }: Answer["block"],
  isAlone: boolean,
): readonly Block[] {
  const limits = limitItems(view).slice(0, most.limits);
  return [
    ...(limits.length === 0 ? [] : [list(limits)]),
    ...(chart === undefined ? [] : [chart]),
    ...(isAlone ? blocks.filter(({ kind }) => kind === "table") : []),
    ...blocks.filter(({ kind }) => kind === "note").slice(0, most.notes),
  ];
}

function runRow(view: ReportView, compared: Comparison): CommentRow {
  const { cell, baselineCell, phase, operation, quantity } = compared;
  const [before, after] = [baselineCell, cell].map((of) => view.rowOf(of, phase, operation));
  const isStart = quantity === "initAndDurationMs";
  const [measure, p95] = isStart
    ? (["initAndDurationMs", "initAndDurationP95Ms"] as const)
    : (["durationMs", "durationP95Ms"] as const);
  return {
    ...compared,
    name: comparisonName(view, compared),
    before: before?.[measure],
    after: after?.[measure],
    beforeP95: before?.[p95],
    afterP95: after?.[p95],
    parts: isStart ? partsText((part) => [before?.[part], after?.[part]]) : missing,
  };
}

function comment(parts: CommentParts): ReportDocument {
  const { title, opening, rows, gate, remedy, folded } = parts;
  const ofVerdict = (verdict: CommentRow["verdict"]) =>
    rows
      .filter((row) => row.verdict === verdict)
      .toSorted((a, b) => Math.abs(Math.log(b.ratio ?? 1)) - Math.abs(Math.log(a.ratio ?? 1)));
  const [slower, faster] = [ofVerdict("slower"), ofVerdict("faster")];
  const decided = [...slower, ...faster];
  const rest = rows.filter((row) => !decided.includes(row));
  const onLambda = lambdaText(decided);
  return {
    title,
    blocks: [
      ...opening,
      ...decidedTables(slower, faster, parts),
      ...openTable(gate.notProven, decided.length),
      ...(remedy === undefined ? [] : [paragraph(remedy)]),
      ...(onLambda === undefined ? [] : [paragraph(onLambda)]),
      details(restText(rest), [
        ...groupTable(rest),
        list([readingText(gate.margin), ...folded].slice(0, most.folded)),
      ]),
    ],
  };
}

/** Returns one table of slower and one of faster comparisons, the largest difference first. */
function decidedTables(
  slower: readonly CommentRow[],
  faster: readonly CommentRow[],
  { gate, sides: [before, after], titles }: CommentParts,
): readonly Block[] {
  const room = gate.notProven.length > 0 ? most.decidedBesideOpen : most.decided;
  const ofFaster = Math.min(faster.length, Math.max(most.fasterBesideSlower, room - slower.length));
  const columns: readonly ColumnOf<CommentRow>[] = [
    ...nameColumns,
    numberColumn(before, (row) => measureText(row.before)),
    numberColumn(after, (row) => measureText(row.after)),
    numberColumn("median ms", (row) => changeText(row.before?.median, row.after?.median)),
    numberColumn("P95 ms", (row) => changeText(row.beforeP95?.value, row.afterP95?.value)),
    textColumn("parts", ({ parts }) => parts),
  ];
  const tableOf = (title: string, rows: readonly CommentRow[], shown: number) =>
    cutTable(title, columns, rows, {
      room: shown,
      more: (n) => `And ${count(n)} more, each a smaller difference.`,
    });
  return [
    ...tableOf(`❌ ${plural(slower.length, titles[0])}`, slower, room - ofFaster),
    ...tableOf(`✅ ${plural(faster.length, titles[1])}`, faster, ofFaster),
  ];
}

const nameColumns: readonly ColumnOf<CommentRow>[] = [
  rowHeader("function", ({ name }) => [code(name)]),
  textColumn("call", callText),
  numberColumn("ratio [95% CI]", (row) => ratioText(row)),
];

/** Lists the largest possible slowdowns with their intervals, and fewer of them if many others are decided. */
function openTable(open: readonly CommentRow[], decided: number): readonly Block[] {
  const rows = open.toSorted((a, b) => (b.high ?? 0) - (a.high ?? 0));
  const columns = [...nameColumns, proseColumn<CommentRow>("why", (row) => verdictText(row))];
  return cutTable(`❓ ${count(open.length)} undecided`, columns, rows, {
    room: Math.max(3, Math.min(most.open, most.decided - decided)),
    more: (n) => `And ${count(n)} more undecided.`,
  });
}

/** Groups the remaining comparisons by call: one line per call for all functions and sizes. */
function groupTable(rest: readonly CommentRow[]): readonly Block[] {
  const equivalent = (group: readonly CommentRow[]) =>
    group.filter(({ verdict }) => verdict === "equivalent").length;
  const ratioOf = ({ ratio }: CommentRow) => ({ value: ratio, text: number(ratio, 2) });
  const columns: readonly ColumnOf<readonly [CommentRow, ...CommentRow[]]>[] = [
    rowHeader("call", ([first]) => callText(first)),
    numberColumn(verdictWords.equivalent, (group) => count(equivalent(group))),
    numberColumn(verdictWords.undecided, (group) => count(group.length - equivalent(group))),
    textColumn("ratios", (group) => rangeText(group.map(ratioOf)) ?? missing),
  ];
  return cutTable("By call", columns, [...groupBy(rest, callText).values()], {
    room: most.groups,
    more: (n) => `And ${plural(n, "other call")}.`,
  });
}

/** Returns the first rows as a table, and how many are not shown; nothing without rows. */
function cutTable<Row>(
  title: string,
  columns: readonly ColumnOf<Row>[],
  rows: readonly Row[],
  cut: { readonly room: number; readonly more: (notShown: number) => string },
): readonly Block[] {
  const tableOf = (shown: readonly Row[]) =>
    makeTable({ id: title, caption: [strong(title)] }, columns, shown);
  return rows.length === 0 ? [] : limited(rows, tableOf, cut);
}

/** Returns `20.0 → 30.0`, or `missing` if neither side has a value. */
function changeText(before: number | undefined, after: number | undefined): string {
  return before === undefined && after === undefined
    ? missing
    : `${number(before)} → ${number(after)}`;
}

const startParts = {
  initDurationMs: "Init",
  restoreDurationMs: "Restore",
  durationMs: "first Duration",
} as const;
type StartPart = keyof typeof startParts;

/** Returns the parts of a cold start: `Init 7.06 → 17.5, first Duration 290 → 2.79`. */
function partsText(
  sidesOf: (part: StartPart) => readonly [before: Measure | undefined, after: Measure | undefined],
): string {
  const texts = Object.entries(startParts).flatMap(([part, name]) => {
    const [before, after] = sidesOf(part as StartPart).map((side) => side?.mean);
    const text = changeText(before, after);
    return text === missing ? [] : [`${name} ${text}`];
  });
  return texts.join(", ");
}
