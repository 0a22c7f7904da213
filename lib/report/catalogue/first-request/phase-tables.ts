import type { Cell } from "../../../contract/types/contract.ts";
import { details, numberColumn, tableOf, textColumn } from "../../document/blocks.ts";
import { sizeColumns } from "../../document/cell-labels.ts";
import type { Block, Table } from "../../document/document.ts";
import { measureText, sizeText } from "../../document/format-measure.ts";
import { missing, number } from "../../document/format-number.ts";
import { limited } from "../../section/limited.ts";
import { publishedCaption } from "../../section/published-column.ts";
import { isOfConditions } from "../../view/published.ts";
import type { ReportView } from "../../view/report-view.ts";
import type { FirstRequestFigures, PhaseFigures, PhaseRun } from "./figures.ts";
import { type BreakdownPhase, breakdownPhases } from "./phases.ts";

/** Every phase of the breakdown's cold start by memory, with the source's mean beside. */
export function phaseTable(view: ReportView, { phases }: FirstRequestFigures): Table {
  const isPublished = phases.some(({ cell }) => isPublishedSize(view, cell));
  const phaseOf = (row: PhaseFigures) => breakdownPhases.find(({ key }) => key === row.phase);
  return tableOf<PhaseFigures>(
    {
      id: "first-request-phases",
      caption: `Where the first request goes: median [95 % interval] and mean over environments, ms, by the function's own clock; Init and Duration are Lambda's. The first Duration holds both connections and the SDK call, which makes a connection of its own.${publishedCaption(view, isPublished)}`,
      rowHeaders: sizeColumns(view, (row: PhaseFigures) => row.cell).length + 1,
    },
    [
      ...sizeColumns<PhaseFigures>(view, (row) => row.cell),
      textColumn("Phase", (row) => phaseOf(row)?.label ?? row.phase),
      numberColumn("n", (row) => sizeText(row.measure)),
      numberColumn("Median ms", (row) => measureText(row.measure)),
      numberColumn("Mean ms", (row) => number(row.meanMs)),
      isPublished
        ? numberColumn("Published mean ms", (row) =>
            isPublishedSize(view, row.cell) ? number(phaseOf(row)?.publishedMeanMs) : missing,
          )
        : undefined,
    ],
    phases,
  );
}

function isPublishedSize({ plan, published }: ReportView, cell: Cell): boolean {
  return published !== undefined && isOfConditions(plan, cell, published.conditions);
}

/** Every cold start of the breakdown by itself, and the source's own in a table apart. */
export function phaseRunBlocks(view: ReportView, figures: FirstRequestFigures): readonly Block[] {
  const { phaseRuns } = figures;
  if (phaseRuns.length === 0) return [];
  const isPublished = phaseRuns.some(({ cell }) => isPublishedSize(view, cell));
  return [
    details("Each cold start of the breakdown, phase by phase", [
      ...limited(phaseRuns, (rows) => runTable(view, rows)),
      ...(isPublished ? [publishedRunTable(view)] : []),
    ]),
  ];
}

function runTable(view: ReportView, rows: readonly PhaseRun[]): Table {
  return tableOf<PhaseRun>(
    {
      id: "first-request-runs",
      caption: `Each cold start of the breakdown, ms, one environment each (n = 1 a cell). ${missing}: not told by the sample.`,
      rowHeaders: sizeColumns(view, (row: PhaseRun) => row.cell).length + 1,
    },
    [
      ...sizeColumns<PhaseRun>(view, (row) => row.cell),
      textColumn("Block", ({ block, attempt }) =>
        attempt === undefined ? String(block) : `${block}, attempt ${attempt}`,
      ),
      ...breakdownPhases.map(({ key, label }) =>
        numberColumn<PhaseRun>(label, ({ phasesMs }) => number(phasesMs[key])),
      ),
    ],
    rows,
  );
}

function publishedRunTable(view: ReportView): Table {
  const known = breakdownPhases.filter((phase) => phase.publishedRunsMs !== undefined);
  const runs = Math.max(...known.map(({ publishedRunsMs = [] }) => publishedRunsMs.length));
  return tableOf<number>(
    {
      id: "first-request-published-runs",
      caption: `The source's own cold starts, ms.${publishedCaption(view, true)}`,
      rowHeaders: 1,
    },
    [
      numberColumn("Run", (run) => String(run + 1)),
      ...known.map(({ label, publishedRunsMs }: BreakdownPhase) =>
        numberColumn<number>(label, (run) => number(publishedRunsMs?.[run])),
      ),
    ],
    Array.from({ length: runs }, (_, run) => run),
  );
}
