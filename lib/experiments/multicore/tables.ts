import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { cellColumns } from "../../report/document/cell-labels.ts";
import {
  makeTable,
  numberColumn,
  rowHeader,
  type Table,
  verdictColumn,
} from "../../report/document/document.ts";
import {
  decimalsFor,
  measureText,
  medianText,
  megabytesText,
  missing,
  number,
  ratioText,
  sizeText,
  tailText,
  verdictText,
} from "../../report/document/format.ts";
import { simulatedBillNote } from "../../report/section/columns.ts";
import {
  findPublishedRow,
  type InitFigures,
  isPublished,
  publishedInitMs,
  publishedPlace,
  publishedText,
  type Scaled,
  type SizeRow,
  work,
} from "./figures.ts";

export function durationTable(view: ReportView, rows: readonly SizeRow[]): Table {
  const { count = missing } = view.plan.requests?.[work]?.parameters ?? {};
  return makeTable<SizeRow>(
    {
      id: durationTableId,
      caption: `Warm Duration of ${count} hashes, ms: mean and median [95% CI] over environments, percentiles over calls (P95 needs 60 of them and P99 300).${publishedText(view, rows)}`,
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("n in environments", ({ series }) => sizeText(series.durationMs)),
      numberColumn("Mean ms", ({ series }) => measureText(series.durationMs)),
      numberColumn("Median ms", ({ series }) => medianText(series.durationMs)),
      numberColumn("P95 ms", ({ series }) => tailText(series.durationP95Ms)),
      numberColumn("P99 ms", ({ series }) => tailText(series.durationP99Ms)),
      numberColumn("Threads used", ({ series }) => megabytesText(series.own?.threadsUsed)),
      numberColumn("Resident KB", ({ series }) => megabytesText(series.own?.memoryUsedKb)),
      isPublished(rows)
        ? numberColumn("Published mean ms", ({ cell }) =>
            number(findPublishedRow(cell)?.durationMs),
          )
        : undefined,
    ],
    rows,
  );
}

export const durationTableId = "multicore-duration";

export function costTable(view: ReportView, rows: readonly SizeRow[]): Table {
  return makeTable<SizeRow>(
    {
      id: "multicore-cost",
      caption: `Cost per million warm invocations, $, prices of ${view.cost.pricesRegion}, ${view.cost.pricesDate}. AWS's arithmetic: 1,024 MB per GB, mean Billed Duration over environments [95% CI], request fee. The source's: 1,000 MB per GB, mean Duration, no request fee; only the latter is comparable with what it published.${simulatedBillNote(view)}${publishedText(view, rows)}`,
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("n in environments", ({ usdPerMillion }) => sizeText(usdPerMillion)),
      numberColumn("By AWS's arithmetic", ({ usdPerMillion }) => measureText(usdPerMillion)),
      numberColumn("By the source's", ({ studyUsdPerMillion }) => number(studyUsdPerMillion)),
      isPublished(rows)
        ? numberColumn("Published, by the source's", ({ cell }) =>
            number(findPublishedRow(cell)?.costPerMillionUsd),
          )
        : undefined,
    ],
    rows,
  );
}

export function coreTable(view: ReportView, rows: readonly SizeRow[]): Table {
  return makeTable<SizeRow>(
    {
      id: "multicore-core",
      caption:
        "Hashes per second of CPU time: mean [95% CI], and the ratio to a plain loop over the crate (the one-worker cell of the baseline, which uses no pool); 2 means twice the hashes per core, and equivalent means that the pool has no visible cost.",
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("n in environments", (row) => sizeText(row.hashesPerCpuSecond)),
      numberColumn("Hashes per CPU second", (row) => measureText(row.hashesPerCpuSecond)),
      numberColumn("Ratio", ({ toPlainLoop }) =>
        toPlainLoop === undefined ? "1 (plain loop)" : ratioText(toPlainLoop),
      ),
      verdictColumn("Verdict", ({ toPlainLoop }) => rateVerdict(verdictText(toPlainLoop))),
    ],
    rows,
  );
}

/** Converts a verdict on times to one on a rate, where more is faster. */
function rateVerdict(verdict: string): string {
  if (verdict === "slower") return "more";
  return verdict === "faster" ? "fewer" : verdict;
}

const speedUpTableId = "multicore-speed-up";

/** Returns the id of a row in the table of speed-ups; the index starts at 0. */
export function speedUpRowId(index: number): string {
  return `${speedUpTableId}-row-${index + 1}`;
}

/** Tabulates Init, in which the pool is built, by architecture. */
export function initTable(view: ReportView, inits: readonly InitFigures[]): Table {
  return makeTable<InitFigures>(
    {
      id: "multicore-init",
      caption: `Init by architecture, environments of all sizes together: mean [95% CI], ms. Published: least to most (${publishedPlace}).`,
    },
    [
      rowHeader("Architecture", ({ architecture }) => architecture),
      rowHeader("Variant", ({ variant }) => variantLabel(view.subject, variant)),
      numberColumn("n", ({ initDurationMs }) => sizeText(initDurationMs)),
      numberColumn("Init ms", ({ initDurationMs }) => measureText(initDurationMs)),
      numberColumn("Published ms", ({ architecture, variant }) =>
        variant === "rust" ? (publishedInitMs[architecture]?.join(" to ") ?? missing) : missing,
      ),
    ],
    inits,
  );
}
export function speedUpTable(view: ReportView, rows: readonly SizeRow[]): Table {
  return makeTable<SizeRow>(
    {
      id: speedUpTableId,
      rowId: (row) => speedUpRowId(rows.indexOf(row)),
      caption: `Speed-up over the smallest size of the same variant and architecture, ratio of means [95% CI]; efficiency is the speed-up over the growth of the CPU credit (memory MB / 1769, not the number of workers): 1 means that every vCPU bought is used.${publishedText(view, rows)}`,
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("CPU credit, vCPUs", ({ cpuCredit }) => number(cpuCredit)),
      numberColumn("Speed-up", (row) => firstOr(row, rows, ratioText(row.speedUp))),
      numberColumn("Efficiency", (row) => firstOr(row, rows, scaledText(row.efficiency))),
      ...(isPublished(rows)
        ? [
            numberColumn<SizeRow>("Published speed-up", ({ cell }) =>
              number(findPublishedRow(cell)?.speedup),
            ),
            numberColumn<SizeRow>("Published efficiency", (row) => publishedEfficiency(row, rows)),
          ]
        : []),
    ],
    rows,
  );
}

/** The smallest size is 1 by definition, not by measurement. */
function firstOr(row: SizeRow, rows: readonly SizeRow[], text: string): string {
  return smallestSize(row, rows).cell.id === row.cell.id ? "1 (smallest)" : text;
}

function smallestSize({ cell }: SizeRow, rows: readonly SizeRow[]): SizeRow {
  return rows.find(
    (other) => other.cell.variant === cell.variant && other.cell.architecture === cell.architecture,
  ) as SizeRow;
}

/** Returns the published efficiency. The row with speed-up 1 is the smallest published size. */
function publishedEfficiency({ cell }: SizeRow, rows: readonly SizeRow[]): string {
  const row = findPublishedRow(cell);
  const first = rows
    .map((other) => findPublishedRow(other.cell))
    .find((known) => known?.speedup === 1);
  if (row === undefined || first === undefined) return missing;
  return number((row.speedup * first.memoryMb) / row.memoryMb, 2);
}

function scaledText({ value, low, high }: Scaled): string {
  if (value === undefined) return missing;
  const at = (bound: number | undefined) => number(bound, Math.min(2, decimalsFor(value)));
  return `${at(value)} [${at(low)}, ${at(high)}]`;
}
