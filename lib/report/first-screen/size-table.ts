import type { Best, SizeCost, VariantChoice } from "../../analysis/recommendation.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell, ImportedAverage } from "../../contract/types/contract.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import {
  link,
  makeTable,
  numberColumn,
  rowHeader,
  type Table,
  type Text,
  verdictColumn,
} from "../document/document.ts";
import { groupedNumber, missing, plural, usdText } from "../document/format.ts";
import { type AverageRow, averageRows } from "../section/cost.ts";
import { sizeCostRowId } from "../section/recommendation.ts";
import { summaryRowId } from "../section/summary-table.ts";
import { mostRows, spread } from "./answer-table.ts";
import { shownRow, warmOperation } from "./warm-operation.ts";

/** Returns a table of one function's sizes: their times, their costs, and which to pick. */
export function sizeTable(view: ReportView): Table | undefined {
  const cells = view.cells.toSorted((a, b) => a.memoryMb - b.memoryMb);
  if (view.series.every(({ n }) => n === 0)) return undefined;
  const choice = view.recommendation?.variants[0];
  const shown = shownCells(cells, choice);
  const warm = warmOperation(view);
  const notShown = cells.length - shown.length;
  const hasCold = view.rows.cold.some(({ n }) => n > 0);
  const simulated = view.simulated ? ", simulated" : "";
  const cold = hasCold ? ": a cold start is Init and first Duration together" : "";
  return makeTable<Cell>(
    { id: "answer", ...captioned(`Means${simulated}${cold}.`, notShown) },
    [
      rowHeader("size", (cell) => sizeLabel(view, cell)),
      hasCold
        ? numberColumn<Cell>("cold start, ms", (cell) => timeText(view, cell, "cold"))
        : undefined,
      warm && numberColumn(`warm ${warm.name}, ms`, (cell) => timeText(view, cell, "warm")),
      choice && numberColumn("$/million", (cell) => costText(view, cell, choice)),
      choice && cells.length > 1
        ? verdictColumn("pick", (cell) => pickText(cell, choice, cells))
        : undefined,
    ],
    shown,
  );
}

/** Returns a table of the averages that another tool computed for one function's sizes. */
export function averagesTable(view: ReportView, averages: readonly ImportedAverage[]): Table {
  const rows = averageRows(view, averages);
  const shown = spread(
    rows.toSorted((a, b) => a.cell.memoryMb - b.cell.memoryMb),
    mostRows,
  );
  const notShown = rows.length - shown.length;
  const isPriced = rows.some(({ costUsd }) => costUsd !== undefined);
  return makeTable<AverageRow>(
    {
      id: "answer",
      ...captioned("Averages as the tool reports them, without intervals.", notShown),
    },
    [
      rowHeader("size", ({ cell }) => sizeLabel(view, cell)),
      numberColumn("average, ms", ({ durationMs }) => groupedNumber(durationMs)),
      isPriced
        ? numberColumn<AverageRow>("$/million", ({ costUsd }) =>
            costUsd === undefined ? missing : usdText(costUsd * 1_000_000),
          )
        : undefined,
    ],
    shown,
  );
}

/** Returns a table's caption, with the number of sizes that it leaves out. */
function captioned(caption: string, sizes: number): Pick<Table, "caption" | "notShown"> {
  if (sizes === 0) return { caption };
  const notShown = `Not shown here: ${plural(sizes, "other size")}.`;
  return { caption: `${caption} ${notShown}`, notShown };
}

/** Returns all sizes if they fit. Otherwise, the smallest, the largest and the picks take precedence. */
function shownCells(cells: readonly Cell[], choice: VariantChoice | undefined): readonly Cell[] {
  if (cells.length <= mostRows) return cells;
  const picks = choice === undefined ? [] : criteria.map((name) => firstOf(choice[name]));
  const wanted = [cells[0]?.id, cells.at(-1)?.id, ...picks];
  const rest = cells.filter(({ id }) => !wanted.includes(id));
  const kept = cells.filter(({ id }) => wanted.includes(id));
  const room = rest.slice(0, Math.max(0, mostRows - kept.length));
  return cells.filter((cell) => kept.includes(cell) || room.includes(cell));
}

const criteria = ["cheapest", "balanced", "fastest"] as const;

function firstOf(best: Best): string | undefined {
  if (best.kind === "decided") return best.cell.id;
  return best.kind === "undecided" ? best.among[0]?.id : undefined;
}

/** Returns `cheapest, balanced`, or `fastest?` if several sizes may be the fastest. */
function pickText(cell: Cell, choice: VariantChoice, cells: readonly Cell[]): string {
  const open = criteria.filter((name) => isAmongAll(choice[name], cells));
  if (open.length === criteria.length) return "no measurable difference";
  const names = criteria.flatMap((name) => {
    const best = choice[name];
    if (best.kind === "decided") return best.cell.id === cell.id ? [name] : [];
    if (best.kind !== "undecided" || open.includes(name)) return [];
    return best.among.some(({ id }) => id === cell.id) ? [`${name}?`] : [];
  });
  return names.join(", ");
}

function isAmongAll(best: Best, cells: readonly Cell[]): boolean {
  return best.kind === "undecided" && best.among.length === cells.length;
}

function timeText(view: ReportView, cell: Cell, phase: "cold" | "warm"): Text {
  const row = shownRow(view, cell, phase);
  const mean = (phase === "cold" ? row?.initAndDurationMs : row?.durationMs)?.mean;
  if (row === undefined || mean === undefined) return missing;
  return [link(groupedNumber(mean), summaryRowId(view, row))];
}

function costText(view: ReportView, cell: Cell, { sizes }: VariantChoice): Text {
  const size: SizeCost | undefined = sizes.find((each) => each.cell.id === cell.id);
  if (size?.usdPerMillion === undefined) return missing;
  return [link(usdText(size.usdPerMillion), sizeCostRowId(view, size))];
}
