import { numberColumn, tableOf, textColumn } from "../../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../../document/cell-labels.ts";
import type { Table } from "../../document/document.ts";
import {
  measureText,
  megabytesText,
  ratioText,
  sizeText,
  tailText,
  verdictText,
} from "../../document/format-measure.ts";
import { missing, number } from "../../document/format-number.ts";
import type { ReportView } from "../../view/report-view.ts";
import { publishedRowOf } from "./published.ts";
import { work } from "./quantities.ts";
import { isPublished, publishedText, type SizeRow } from "./size-rows.ts";

export function durationTable(view: ReportView, rows: readonly SizeRow[]): Table {
  const { count = missing } = view.plan.requests?.[work]?.parameters ?? {};
  return tableOf<SizeRow>(
    {
      id: durationTableId,
      caption: `Warm Duration of ${count} hashes, ms: mean, median [95 % interval] over environments, percentiles over calls (P95 needs 60 of them and P99 300).${publishedText(view, rows)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("n in environments", ({ series }) => sizeText(series.durationMs)),
      numberColumn("Mean ms", ({ meanMs }) => number(meanMs)),
      numberColumn("P50 ms", ({ series }) => measureText(series.durationMs)),
      numberColumn("P95 ms", ({ series }) => tailText(series.durationP95Ms)),
      numberColumn("P99 ms", ({ series }) => tailText(series.durationP99Ms)),
      numberColumn("Threads used", ({ series }) => megabytesText(series.own?.threadsUsed)),
      numberColumn("Resident KB", ({ series }) => megabytesText(series.own?.memoryUsedKb)),
      isPublished(rows)
        ? numberColumn("Published mean ms", ({ cell }) => number(publishedRowOf(cell)?.durationMs))
        : undefined,
    ],
    rows,
  );
}

export const durationTableId = "multicore-duration";

export function costTable(view: ReportView, rows: readonly SizeRow[]): Table {
  const simulated = view.simulated ? " As if on AWS at these durations: no bill of anyone's." : "";
  return tableOf<SizeRow>(
    {
      id: "multicore-cost",
      caption: `Cost per million warm invocations, USD, prices of ${view.cost.pricesRegion}, ${view.cost.pricesDate}. AWS's arithmetic: 1,024 MB a GB, median Billed Duration, request fee. The source's: 1,000 MB a GB, mean Duration, no request fee; only that one is comparable with what it published.${simulated}${publishedText(view, rows)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("n in environments", ({ usdPerMillion }) => sizeText(usdPerMillion)),
      numberColumn("By AWS's arithmetic", ({ usdPerMillion }) => measureText(usdPerMillion)),
      numberColumn("By the source's", ({ studyUsdPerMillion }) => number(studyUsdPerMillion)),
      isPublished(rows)
        ? numberColumn("Published, by the source's", ({ cell }) =>
            number(publishedRowOf(cell)?.costPerMillionUsd),
          )
        : undefined,
    ],
    rows,
  );
}

export function coreTable(view: ReportView, rows: readonly SizeRow[]): Table {
  return tableOf<SizeRow>(
    {
      id: "multicore-core",
      caption:
        "Hashes per second of CPU time: median [95 % interval], and the ratio to a plain loop over the crate (the one-worker cell of the baseline, which has no pool in its path); 2 means twice the hashes a core, and equivalent that the pool costs nothing that can be seen.",
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("n in environments", (row) => sizeText(row.hashesPerCpuSecond)),
      numberColumn("Hashes per CPU second", (row) => measureText(row.hashesPerCpuSecond)),
      numberColumn("Ratio", ({ toPlainLoop }) =>
        toPlainLoop === undefined ? "1 (plain loop)" : ratioText(toPlainLoop),
      ),
      textColumn("Verdict", ({ toPlainLoop }) => rateVerdict(verdictText(toPlainLoop))),
    ],
    rows,
  );
}

/** The verdicts are on times: of a rate, more is faster. */
function rateVerdict(verdict: string): string {
  if (verdict === "slower") return "more";
  return verdict === "faster" ? "fewer" : verdict;
}
