import type { Comparison } from "../analysis/comparisons.ts";
import { primaryOnly } from "../analysis/family.ts";
import { findEffects } from "../analysis/findings.ts";
import { type GateFinding, gatedComparisons, gateFinding } from "../analysis/gate.ts";
import { gateRemedy } from "../analysis/gate-remedy.ts";
import { variantLabel } from "../analysis/report-subject.ts";
import type { ReportView } from "../analysis/report-view.ts";
import { functionsExperimentId } from "../plan/functions-subject.ts";
import {
  type CommentRow,
  callText,
  decidedTables,
  groupTable,
  lambdaLines,
  openTable,
  type Sides,
  startParts,
  type Titles,
} from "./comment-tables.ts";
import { code, type Note, plain, type Text } from "./document/document.ts";
import { count, measureText, missing, number, plural, shareText } from "./document/format.ts";
import type { Answer } from "./first-screen/first-screen.ts";
import { isSound } from "./first-screen/sound-comparisons.ts";
import { notComparedTexts, remedyText, undecidedText } from "./gate-text.ts";
import { limitItems } from "./limit-text.ts";
import { inlineMarkdown, lineMarkdown } from "./render/escape.ts";
import { curvesMarkdown } from "./render/markdown.ts";
import {
  eachRunWith,
  isSound as isSoundChange,
  type TwoRuns,
  twoRunsNotes,
} from "./two-runs-document.ts";

interface CommentParts {
  /** The verdict in one line, without markup. */
  readonly verdict: string;
  readonly notes: readonly Note[];
  /** Headings of the means. */
  readonly sides: Sides;
  readonly titles: Titles;
  readonly rows: readonly CommentRow[];
  /** The comparisons that leave a slowdown possible. */
  readonly open: readonly CommentRow[];
  /** The remedy that would decide the open comparisons. */
  readonly remedy?: string;
  /** @default none */
  readonly limits?: readonly Text[];
  /**
   * The chart in characters, in Markdown.
   * @default none
   */
  readonly curves?: readonly string[];
  /** Lines that are folded with the rest. */
  readonly folded: readonly Text[];
}

/** A difference between two builds of a function is a change; one between two variants is not. */
const buildTitles: Titles = ["regression", "improvement"];
const variantTitles: Titles = ["slower comparison", "faster comparison"];

/** Limits on notes and folded lines. With the tables, they keep a comment under 60 lines. */
const most = { limits: 3, notes: 4, folded: 8, series: 15 } as const;

/**
 * Returns the result of `kelvin compare` as a comment on a pull request, in GitHub's Markdown: a verdict line and a
 * table of decided comparisons, with the rest folded.
 */
export function twoRunsComment(compared: TwoRuns): string {
  const { margin, before, after, differences } = compared;
  const changes = primaryOnly(compared.changes).filter(isSoundChange);
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
  const gate = gateFinding({ comparisons: rows, margin, manifests: [] });
  const { remedy } = compared;
  return comment({
    verdict: verdictLine(rows, "series of both runs", gate, compared.notCompared),
    notes: twoRunsNotes(compared),
    open: gate.notProven,
    ...(remedy !== undefined && { remedy: remedyText(remedy, eachRunWith(remedy)) }),
    sides: ["before ms", "after ms"],
    titles: buildTitles,
    rows,
    folded: [
      readingText(margin),
      ["Compared: ", code(before), " (before) with ", code(after), " (after)."],
      conditions.length === 0
        ? "The two runs record the same conditions."
        : `Conditions that differ: ${conditions.join("; ")}.`,
    ],
  });
}

/** Returns the parts of a cold start, before and after, for a change of the whole. */
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

/** Like twoRunsComment, for the variants of one run. */
export function runComment(view: ReportView, { block, finding }: Answer): string {
  const { subject, comparisons, margin, manifest } = view;
  const label = (id: string) => variantLabel(subject, id);
  const notes = block.blocks.filter((each): each is Note => each.kind === "note");
  const judged = gatedComparisons(comparisons);
  const compared = primaryOnly(judged);
  const rows = compared.filter((each) => isSound(view, each)).map((each) => runRow(view, each));
  const bases = new Set(judged.map((each) => baseOf(view, each)));
  const baseline = bases.size > 1 ? undefined : [...bases][0];
  const what = baseline === undefined ? "comparisons" : `comparisons with ${baseline}`;
  const [first = "", ...others] = plain(finding).split(/(?<=\.) (?=[A-Z])/);
  const manifests = [manifest];
  const gate = gateFinding({ comparisons: rows, margin, manifests });
  const whole = gateFinding({ comparisons: judged, margin, manifests });
  const remedy = gateRemedy(gate, view.plan, manifests);
  const alone = [...(others.length === 0 ? [] : [others.join(" ")]), ...seriesLines(view, label)];
  return comment({
    verdict: compared.length === 0 ? first : verdictLine(rows, what, gate, notComparedTexts(whole)),
    notes,
    open: gate.notProven,
    ...(remedy !== undefined && { remedy: remedyText(remedy) }),
    limits: limitItems(view),
    curves: curvesMarkdown(block),
    sides: [`${baseline ?? "base"} ms`, "ms"],
    titles: view.plan.experiment === functionsExperimentId ? buildTitles : variantTitles,
    rows,
    folded: [readingText(margin), ...(compared.length === 0 ? alone : [finding])],
  });
}

function runRow(view: ReportView, compared: Comparison): CommentRow {
  const { cell, baselineCell, phase, operation, quantity } = compared;
  const [before, after] = [baselineCell, cell].map((of) => view.rowOf(of, phase, operation));
  const isStart = quantity === "initAndDurationMs";
  const measure = isStart ? "initAndDurationMs" : "durationMs";
  const p95 = isStart ? "initAndDurationP95Ms" : "durationP95Ms";
  return {
    ...compared,
    name: rowName(view, compared),
    before: before?.[measure],
    after: after?.[measure],
    beforeP95: before?.[p95],
    afterP95: after?.[p95],
    ...(isStart && { parts: startParts.map((part) => [before?.[part], after?.[part]] as const) }),
  };
}

/** Returns the name of the side compared with: a function, or an architecture of the same one. */
function baseOf({ subject }: ReportView, { cell, baselineCell }: Comparison): string {
  return cell.variant === baselineCell.variant
    ? baselineCell.architecture
    : variantLabel(subject, baselineCell.variant);
}

/** Returns `head at 512 MB arm64`, followed by the base if it is not the run's own. */
function rowName(view: ReportView, compared: Comparison): string {
  const { cell, baselineCell } = compared;
  const name = `${variantLabel(view.subject, cell.variant)} at ${count(cell.memoryMb)} MB ${cell.architecture}`;
  const isUsual = baselineCell.variant === view.subject.baselineVariant;
  return isUsual && cell.variant !== baselineCell.variant
    ? name
    : `${name} against ${baseOf(view, compared)}`;
}

/** Returns `Of 84 series of both runs: 2 slower, at most 1.50 [1.44, 1.56] times (python-arm64-128, warm get)`. */
function verdictLine(
  rows: readonly CommentRow[],
  what: string,
  gate: GateFinding<CommentRow>,
  notCompared: readonly string[],
): string {
  const cause = notCompared.length === 0 ? "" : `Not compared in full: ${notCompared.join("; ")}. `;
  return rows.length === 0 ? cause.trimEnd() : `${cause}${comparedLine(rows, what, gate)}`;
}

function comparedLine(
  rows: readonly CommentRow[],
  what: string,
  gate: GateFinding<CommentRow>,
): string {
  const { effects } = findEffects(rows);
  const clauses = effects
    .toSorted((a, b) => (a.direction === b.direction ? 0 : a.direction === "slower" ? -1 : 1))
    .map(({ direction, decided, most: { times, low, high, comparison } }) => {
      const interval = `${number(times, 2)} [${number(low, 2)}, ${number(high, 2)}]`;
      return `${count(decided.length)} ${direction}, at most ${interval} times (${comparison.name}, ${callText(comparison)})`;
    });
  const all = `${count(rows.length)} ${what}`;
  const open = gate.undecided.length === 0 ? [] : [undecidedText(gate)];
  if (clauses.length > 0) return `Of ${all}: ${[...clauses, ...open].join("; ")}`;
  const equivalent = rows.filter(({ verdict }) => verdict === "equivalent").length;
  return equivalent === rows.length
    ? `Nothing is slower or faster: all ${all} are equivalent`
    : `Of ${all}: 0 slower, ${count(equivalent)} equivalent, ${undecidedText(gate)}`;
}

function readingText(margin: number): string {
  return `Slower or faster: the whole 95% CI of the ratio lies beyond the margin of ${shareText(margin)}, and the difference is significant after correction for the number of comparisons. Inconclusive is not equal. Ratios are of means over execution environments; a cold start is Init and the first Duration together.`;
}

function comment(parts: CommentParts): string {
  const { verdict, notes, sides, titles, rows, folded, open, remedy } = parts;
  const { limits = [], curves = [] } = parts;
  const decided = ["slower", "faster"].flatMap((direction) =>
    rows
      .filter((row) => row.verdict === direction)
      .toSorted((a, b) => Math.abs(Math.log(b.ratio ?? 1)) - Math.abs(Math.log(a.ratio ?? 1))),
  );
  const rest = rows.filter(({ verdict: own }) => own !== "slower" && own !== "faster");
  return `${[
    `### ${inlineMarkdown(verdict)}`,
    ...(limits.length === 0 ? [] : [listMarkdown(limits.slice(0, most.limits))]),
    ...curves,
    ...notes
      .slice(0, most.notes)
      .map(
        ({ tone, text }) =>
          `> **${tone === "warning" ? "Warning" : "Note"}:** ${inlineMarkdown(text)}`,
      ),
    ...decidedTables(decided, sides, titles, open.length > 0),
    ...openTable(open, decided.length),
    ...(remedy === undefined ? [] : [inlineMarkdown(remedy)]),
    ...lambdaLines(decided),
    `<details>\n<summary>${inlineMarkdown(restText(rest))}</summary>`,
    ...groupTable(rest),
    listMarkdown(folded.slice(0, most.folded)),
    "</details>",
  ].join("\n\n")}\n`;
}

function listMarkdown(items: readonly Text[]): string {
  return items.map((text) => `- ${lineMarkdown(text)}`).join("\n");
}

function restText(rest: readonly CommentRow[]): string {
  if (rest.length === 0) return "How to read it";
  const equivalent = rest.filter(({ verdict }) => verdict === "equivalent").length;
  return `The rest: ${count(equivalent)} equivalent, ${count(rest.length - equivalent)} inconclusive; and how to read it`;
}

/** Lists the cells' times, for a run that compares nothing. */
function seriesLines(view: ReportView, label: (id: string) => string): readonly Text[] {
  const cells = view.cells;
  const lines = cells.slice(0, most.folded - 2).map((cell): Text => {
    const own = view.series.filter((series) => series.cell.id === cell.id);
    const times = own
      .map((each) => ({
        ...each,
        timeMs: each[each.phase === "cold" ? "initAndDurationMs" : "durationMs"],
      }))
      .filter(({ timeMs }) => timeMs?.mean !== undefined)
      .map(({ phase, operation, timeMs }) => `${phase} ${operation} ${measureText(timeMs)} ms`);
    return `${label(cell.variant)} at ${count(cell.memoryMb)} MB: ${times.slice(0, most.series).join(", ")}`;
  });
  const notShown = cells.length - lines.length;
  return notShown === 0 ? lines : [...lines, `And ${plural(notShown, "other cell")}.`];
}
