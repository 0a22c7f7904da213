import { numberColumn, tableOf, textColumn } from "../document/blocks.ts";
import type { Block } from "../document/document.ts";
import { count, missing } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import type { CellCoverage } from "../view/quality-view.ts";
import type { ReportView } from "../view/report-view.ts";

const throttlingCaption =
  "Throttled: calls of Lambda's control plane that were refused while environments were forced cold, " +
  "and what was waited before they were tried again; no measured call is among them.";

/** What became of each cell's samples. */
export function coverageTable(view: ReportView): Block {
  const throttling = throttlingColumns(view);
  const told = throttling.length === 0 ? "" : ` ${throttlingCaption}`;
  return tableOf<CellCoverage>(
    {
      id: "coverage",
      caption: `Samples by cell: planned, recorded, kept; and visits that failed.${told}`,
      rowHeaders: 1,
    },
    [
      textColumn("Cell", ({ cell }) => cell.id),
      textColumn("Variant", ({ cell }) =>
        cell.twinOf === undefined
          ? labelOf(view.subject, cell.variant)
          : `${labelOf(view.subject, cell.variant)}, A/A twin of ${cell.twinOf}`,
      ),
      numberColumn("Planned", ({ planned }) => count(planned)),
      numberColumn("Recorded", ({ recorded }) => count(recorded)),
      numberColumn("Kept", ({ kept }) => count(kept)),
      numberColumn("Failed visits", ({ failures }) => count(failures)),
      ...throttling,
    ],
    view.quality.cells,
  );
}

/** Only where a target counts it: on this machine nothing throttles. */
function throttlingColumns({ quality }: ReportView) {
  if (quality.cells.every(({ forcedCold }) => forcedCold === undefined)) return [];
  return [
    numberColumn<CellCoverage>("Throttled calls", ({ forcedCold }) =>
      forcedCold === undefined ? missing : count(forcedCold.throttledCalls),
    ),
    numberColumn<CellCoverage>("Throttled, waited ms", ({ forcedCold }) =>
      forcedCold === undefined ? missing : count(forcedCold.waitedMs),
    ),
  ];
}
