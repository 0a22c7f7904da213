import type { Cell } from "../../contract/types/contract.ts";
import { details, heading, numberColumn, tableOf, textColumn } from "../document/blocks.ts";
import { sizeColumns } from "../document/cell-labels.ts";
import type { Block } from "../document/document.ts";
import { missing, number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { ColdRun } from "../view/cold-runs.ts";
import type { ReportView } from "../view/report-view.ts";
import { sizesOf, variantsRun } from "../view/select.ts";
import { limited } from "./limited.ts";

/** One block of one size: each variant's new environment, side by side. */
interface Row {
  readonly cell: Cell;
  readonly block: number;
  readonly attempt: number;
  readonly runs: ReadonlyMap<string, ColdRun>;
}

/** Every cold start by itself, as the studies print theirs. */
export function coldRunsSection(view: ReportView): readonly Block[] {
  const variants = variantsRun(view);
  const rows = rowsOf(view);
  const blocks = limited(rows, (shown) =>
    tableOf<Row>(
      {
        id: "cold-runs",
        caption: `Every cold run: Init / first Duration / second Duration, ms, one environment each (n = 1 a cell). ${missing}: rejected or not made. The A/A twin is left out.`,
        rowHeaders: 1 + sizeColumns(view, (row: Row) => row.cell).length,
      },
      [
        ...sizeColumns<Row>(view, (row) => row.cell),
        textColumn("Block", ({ block, attempt }) =>
          attempt === 0 ? String(block) : `${block}, attempt ${attempt}`,
        ),
        ...variants.map((variant) =>
          numberColumn<Row>(`${labelOf(view.subject, variant)} ms`, (row) =>
            runText(row.runs.get(variant)),
          ),
        ),
      ],
      shown,
    ),
  );
  return [
    heading(2, "Every cold run"),
    details("Init, first and second invocation of each environment", blocks),
  ];
}

function rowsOf(view: ReportView): readonly Row[] {
  return sizesOf(view).flatMap((cells) => {
    const ids = new Set(cells.map((cell) => cell.id));
    const rows = new Map<string, Row & { readonly runs: Map<string, ColdRun> }>();
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
