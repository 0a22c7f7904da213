import type { ColdRun } from "../../analysis/distribution.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import type { Compared } from "../../analysis/series-ratio.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { findService } from "../../plan/trial-calls.ts";
import { cellColumns, sizeColumns } from "../document/cell-labels.ts";
import {
  type Block,
  type ColumnOf,
  details,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
  type Table,
  verdictColumn,
} from "../document/document.ts";
import {
  count,
  measureText,
  medianText,
  megabytesText,
  missing,
  number,
  ratioText,
  sizeText,
  tailText,
  verdictText,
} from "../document/format.ts";
import { blockText, hasPublished, limited, publishedCaption, spanText } from "./columns.ts";

/** Shows Init and the first request, by variant and memory. */
export function coldSection(view: ReportView, chart: readonly Block[]): readonly Block[] {
  return [
    heading(
      2,
      "Cold start",
      `Init and first Duration: ${spanText(view.rows.cold.map((row) => row.initAndDurationMs?.mean))}`,
    ),
    paragraph(
      view.manifest.imported === undefined
        ? `A new execution environment each time: Init, then the first ${view.plan.coldOperation} in the handler. A sample counts only if Lambda reported an Init and the ${identityWord(view.plan)} has not been seen before.${view.simulated ? initHere : ""}`
        : "Invocations for which Lambda reported an Init Duration or a Restore Duration. No boot id verifies that their environment was new.",
    ),
    ...chart,
    coldTable(view),
    coldRatioTable(view),
  ];
}

const initHere = " Init here is the start of a process on this machine; on Lambda it takes longer.";

/** Returns the word for what identifies an environment: a user's function does not report its process. */
export function identityWord({ ownResults }: ReportView["plan"]): string {
  return ownResults ? "environment" : "boot id";
}

function coldTable(view: ReportView): Table {
  const rows = view.rows.cold;
  const isPublished = hasPublished(rows);
  return makeTable<Row>(
    {
      id: "cold-start",
      caption: `Cold start: mean [95% CI] over environments, ms and MB; of Init and first Duration together also the median and P95.${publishedCaption(view, isPublished)}`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.durationMs)),
      numberColumn("Init ms", (row) => measureText(row.initDurationMs)),
      rows.some(({ restoreDurationMs }) => restoreDurationMs !== undefined)
        ? numberColumn("Restore ms", (row) => measureText(row.restoreDurationMs))
        : undefined,
      numberColumn("First Duration ms", (row) => measureText(row.durationMs)),
      numberColumn("Init + first ms", (row) => measureText(row.initAndDurationMs)),
      numberColumn("Init + first, median ms", (row) => medianText(row.initAndDurationMs)),
      numberColumn("Init + first, P95 ms", (row) => tailText(row.initAndDurationP95Ms)),
      numberColumn("Billed ms", (row) => measureText(row.billedDurationMs)),
      numberColumn("Max memory MB", (row) => megabytesText(row.maxMemoryUsedMb)),
      isPublished
        ? numberColumn("Published: Init / first / billed ms / memory MB", (row) =>
            publishedCold(row),
          )
        : undefined,
    ],
    rows,
  );
}

function publishedCold({ published }: Row): string {
  if (published === undefined) return missing;
  const { initDurationMs, durationMs, billedDurationMs, maxMemoryUsedMb } = published;
  return [initDurationMs, durationMs, billedDurationMs, maxMemoryUsedMb]
    .map((value) => number(value, 0))
    .join(" / ");
}

function coldRatioTable(view: ReportView): Table {
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const rows = view.rows.cold.filter(({ compared }) => compared.initAndDurationMs !== undefined);
  return makeTable<Row>(
    {
      id: "cold-ratio",
      caption: `Cold start vs. ${baseline}: ratio of means [95% CI]; 2 means twice as long as ${baseline}. The verdict is on Init + first; the other columns are its parts.`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n, and baseline's", (row) => comparedText(row.compared.initAndDurationMs)),
      numberColumn("Init + first", (row) => ratioText(row.compared.initAndDurationMs)),
      numberColumn("Init", (row) => ratioText(row.compared.initDurationMs)),
      numberColumn("First Duration", (row) => ratioText(row.compared.durationMs)),
      verdictColumn("Verdict", (row) => verdictText(row.compared.initAndDurationMs)),
    ],
    rows,
  );
}

/** Returns the number of environments on each side of a comparison. */
export function comparedText(comparison: Compared | undefined): string {
  if (comparison === undefined) return missing;
  return `${comparison.environments}, ${comparison.baselineEnvironments}`;
}

/** Shows the invocation after the first, and so how much one-time work is done by then. */
export function secondSection(view: ReportView): readonly Block[] {
  const rows = view.rows.second;
  const isPublished = hasPublished(rows);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  const table = makeTable<Row>(
    {
      id: "second",
      caption: `Second invocation: mean [95% CI], ms; ratio of Durations to ${baseline} (2: twice as long).${publishedCaption(view, isPublished)}`,
    },
    [
      ...cellColumns<Row>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.durationMs)),
      numberColumn("Duration ms", (row) => measureText(row.durationMs)),
      callsSdk(view, rows)
        ? numberColumn("SDK call ms", (row) => measureText(row.sdkCallMs))
        : undefined,
      ...ratioColumns(view, (row) => row.compared.durationMs),
      isPublished ? numberColumn("Published runs ms", (row) => publishedRuns(row)) : undefined,
    ],
    rows,
  );
  return [
    heading(2, "Second invocation", spanText(rows.map(({ durationMs }) => durationMs.mean))),
    paragraph(
      `The next ${view.plan.coldOperation} in the same environment. The difference from the first is work that is done once per process.`,
    ),
    table,
  ];
}

/** Returns false if functions have no service to call and none reports an SDK call. */
export function callsSdk({ plan }: ReportView, rows: readonly Row[]): boolean {
  return findService(plan) !== undefined || rows.some(({ sdkCallMs }) => sdkCallMs.n > 0);
}

/** Returns columns for the ratio to the baseline with its interval, and for the verdict. */
export function ratioColumns(
  view: ReportView,
  compared: (row: Row) => Compared | undefined,
  label = "Ratio",
): readonly ColumnOf<Row>[] {
  // A single variant has nothing to be compared with.
  if (view.variants.length === 1) return [];
  return [
    numberColumn(label, (row) => baselineOr(view, row, ratioText(compared(row)))),
    verdictColumn("Verdict", (row) =>
      baselineOr(view, row, verdictText(compared(row)), "baseline"),
    ),
  ];
}

/** Returns `text`, or `forBaseline` for the baseline, whose ratio to itself is 1 by definition. */
export function baselineOr(
  view: ReportView,
  { cell }: Pick<Row, "cell">,
  text: string,
  forBaseline = "1 (baseline)",
): string {
  return cell.variant === view.subject.baselineVariant ? forBaseline : text;
}

function publishedRuns({ published }: Row): string {
  const runs = published?.durationRunsMs;
  return runs === undefined ? missing : runs.map((run) => number(run)).join("; ");
}

/** A block at one size: the new environment of each variant, side by side. */
interface BlockRow {
  readonly cell: Cell;
  readonly block: number;
  readonly attempt: number;
  readonly runs: ReadonlyMap<string, ColdRun>;
}

/** Lists every single cold start, in the layout that the studies use. */
export function coldRunsSection(view: ReportView): readonly Block[] {
  const variants = view.variants;
  const rows = coldRows(view);
  const blocks = limited(rows, (shown) =>
    makeTable<BlockRow>(
      {
        id: "cold-runs",
        caption: `Every cold run: Init / first Duration / second Duration, ms, one environment per row (n = 1 per cell). ${missing}: rejected or not made. The A/A replica is left out.`,
      },
      [
        ...sizeColumns<BlockRow>(view, (row) => row.cell),
        rowHeader("Block", blockText),
        ...variants.map((variant) =>
          numberColumn<BlockRow>(`${variantLabel(view.subject, variant)} ms`, (row) =>
            runText(row.runs.get(variant)),
          ),
        ),
      ],
      shown,
    ),
  );
  return [
    heading(2, "Every cold run", `${count(view.coldRuns.length)} cold starts, one row each.`),
    details("Init, first and second invocation of each environment", blocks),
  ];
}

function coldRows(view: ReportView): readonly BlockRow[] {
  return view.sizes.flatMap((cells) => {
    const ids = new Set(cells.map((cell) => cell.id));
    const rows = new Map<string, BlockRow & { readonly runs: Map<string, ColdRun> }>();
    for (const run of view.coldRuns.filter((candidate) => ids.has(candidate.cell.id))) {
      const { block, attempt = 0, cell } = run;
      const key = `${block}.${attempt}`;
      const row = rows.get(key) ?? { cell, block, attempt, runs: new Map<string, ColdRun>() };
      rows.set(key, row);
      row.runs.set(cell.variant, run);
    }
    return [...rows.values()].sort((a, b) => a.block - b.block || a.attempt - b.attempt);
  });
}

function runText(run: ColdRun | undefined): string {
  if (run === undefined) return missing;
  return [run.initDurationMs, run.firstDurationMs, run.secondDurationMs]
    .map((value) => number(value))
    .join(" / ");
}
