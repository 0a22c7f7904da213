import type { CellFailure } from "../../contract/types/contract.ts";
import type { ErrorGroup } from "../collect/quality-counts.ts";
import { contradictions } from "../collect/sound-visits.ts";
import {
  code,
  heading,
  list,
  numberColumn,
  paragraph,
  proseColumn,
  tableOf,
  textColumn,
  warning,
} from "../document/blocks.ts";
import type { Block } from "../document/document.ts";
import { count, percent, plural } from "../document/format-number.ts";
import type { LabelCount, QualityView } from "../view/quality-view.ts";
import type { ReportView } from "../view/report-view.ts";
import { clipped } from "./clipped.ts";
import { coverageTable } from "./coverage.ts";
import { limited } from "./limited.ts";
import { rejectedBlocks } from "./rejected.ts";
import { seriesWarnings } from "./series-warnings.ts";

const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "warm-up": "one of the first warm calls of an operation, discarded by plan",
    error: "the invocation failed",
    "result-invalid": "the function returned something that is not a result",
    "result-wrong": "the function returned another result than the operation must give",
    throttled: "the service left a part of the work undone, which was paused for and sent again",
    "telemetry-missing": "no REPORT of the invocation was found",
    "init-missing": "cold by plan, but no Init was reported",
    "init-unexpected": "warm by plan, but an Init was reported",
    "boot-id-changed": "warm by plan, but another process answered",
    "boot-id-reused": "cold by plan, but a process seen before answered",
    "invoked-meanwhile":
      "the environment answered a call of someone else since the visit's last one",
    instrumented: "its instructions were counted, and its times are the counting's",
    "of-another-run": "carries another run's id or target",
    "cell-not-in-plan": "of a cell that the plan does not have",
    "initialised-early":
      "Lambda had initialised the environment more than 1 s before its first call",
    ...contradictions,
    "billed-mismatch": "Billed Duration is not the ceiling of Init + Duration",
    "log-truncated": "the log's tail came without the REPORT line",
    "telemetry-from-logs": "the REPORT was read from CloudWatch Logs, after the visit",
    "visible-cpus-below-quota": "fewer CPUs visible than the memory size pays for",
  }),
);

/** What was left out of the statistics and why, and what to mind of the rest. */
export function qualitySection(view: ReportView): readonly Block[] {
  const { quality } = view;
  return [
    heading(2, "Data quality"),
    ...labelTable(
      "rejected",
      "Rejected samples by reason: kept in the data, in no statistic.",
      quality.rejected,
    ),
    ...rejectedBlocks(view),
    ...labelTable("flags", "Flagged samples: a remark, no exclusion.", quality.flags),
    ...initialisedEarlyBlocks(quality),
    ...failureBlocks(quality),
    ...errorBlocks(quality),
    ...warningBlocks(view),
    ...seriesWarnings(view),
    coverageTable(view),
  ];
}

function labelTable(id: string, caption: string, rows: readonly LabelCount[]): readonly Block[] {
  if (rows.length === 0) {
    return [paragraph(id === "flags" ? "No sample was flagged." : "No sample was rejected.")];
  }
  return [
    tableOf<LabelCount>(
      { id, caption, rowHeaders: 1 },
      [
        textColumn(id === "flags" ? "Flag" : "Reason", ({ label }) => [code(label)]),
        proseColumn("Meaning", ({ label }) => meanings.get(label) ?? "no meaning recorded"),
        numberColumn("Cold", ({ cold }) => count(cold)),
        numberColumn("Second", ({ second }) => count(second)),
        numberColumn("Warm", ({ warm }) => count(warm)),
      ],
      rows,
    ),
  ];
}

/** Lambda may initialise an environment that nobody has called yet: that start was waited for by no caller. */
function initialisedEarlyBlocks({ initialisedEarly }: QualityView): readonly Block[] {
  if (initialisedEarly === undefined) return [];
  const { early, told } = initialisedEarly;
  return [
    paragraph(
      `Initialised early: ${count(early)} of the ${plural(told, "cold sample")} whose function says when Init had ended (${percent(early / told)}).`,
    ),
  ];
}

function failureBlocks({ cellFailures }: QualityView): readonly Block[] {
  if (cellFailures.length === 0) return [paragraph("Every visit of every cell was finished.")];
  return [
    warning(
      `${count(cellFailures.length)} visits could not be made or finished; the other cells went on.`,
    ),
    ...limited(cellFailures, (rows) =>
      tableOf<CellFailure>(
        { id: "cell-failures", caption: "Visits that failed.", rowHeaders: 1 },
        [
          proseColumn("Cell", ({ cellId }) => cellId),
          numberColumn("Block", ({ block }) => count(block)),
          proseColumn("Type", ({ type }) => [code(clipped(type))]),
          proseColumn("Message", ({ message }) => clipped(message)),
        ],
        rows,
      ),
    ),
  ];
}

function errorBlocks({ errors, errorsBeyondListed }: QualityView): readonly Block[] {
  if (errors.length === 0) return [];
  const beyond =
    errorsBeyondListed === 0 ? "" : ` ${count(errorsBeyondListed)} more of other kinds.`;
  return limited(errors, (rows) =>
    tableOf<ErrorGroup>(
      {
        id: "errors",
        caption: `Invocations that failed, by cell and type, with the first one's message.${beyond}`,
        rowHeaders: 1,
      },
      [
        proseColumn("Cell", ({ cellId }) => cellId),
        proseColumn("Type", ({ type }) => [code(clipped(type))]),
        numberColumn("Count", (row) => count(row.count)),
        proseColumn("First message", ({ message }) => clipped(message)),
      ],
      rows,
    ),
  );
}

function warningBlocks({ quality }: ReportView): readonly Block[] {
  if (quality.warnings.length === 0) return [];
  return [paragraph("Warnings of the plan and the run:"), list(quality.warnings.map(clipped))];
}
