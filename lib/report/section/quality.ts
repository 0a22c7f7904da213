import type { ErrorGroup, RejectedSample } from "../../analysis/quality-counts.ts";
import type { CellCoverage, LabelCount, QualityView } from "../../analysis/quality-view.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { exclusionReasons } from "../../contract/exclusion-reasons.ts";
import sampleSchema from "../../contract/schemas/sample.schema.json" with { type: "json" };
import type { CellFailure } from "../../contract/types/contract.ts";
import {
  type Block,
  code,
  details,
  heading,
  list,
  makeTable,
  numberColumn,
  paragraph,
  proseColumn,
  rowHeader,
  type Table,
  textColumn,
  warning,
} from "../document/document.ts";
import { count, missing, number, percent, plural, truncate } from "../document/format.ts";
import { blockText, limited } from "./columns.ts";
import { countsText } from "./groups.ts";
import { seriesWarnings } from "./series-warnings.ts";

const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...exclusionReasons,
    "initialised-early":
      "Lambda had initialised the environment more than 1 s before its first call, or its caller waited for less than Init and Duration",
    "billed-mismatch": "Billed Duration is not the ceiling of Init + Duration",
    "log-truncated": "the log tail did not include the REPORT line",
    "telemetry-from-logs": "the REPORT was read from CloudWatch Logs, after the trial",
    "visible-cpus-below-quota": "fewer CPUs visible than the memory size pays for",
  }),
);

/** Shows the samples excluded from the statistics, with reasons, and warnings about the rest. */
export function qualitySection(view: ReportView): readonly Block[] {
  const { quality } = view;
  return [
    heading(2, "Data quality", countsText(view.manifest.counts)),
    ...labelTable(
      "rejected",
      "Rejected samples by reason: kept in the data, used in no statistic.",
      quality.rejected,
    ),
    ...rejectedBlocks(view),
    ...labelTable("flags", "Flagged samples: a remark, no exclusion.", quality.flags),
    ...initialisedEarlyBlocks(quality),
    ...coldProofBlocks(quality),
    ...failureBlocks(quality),
    ...leftOutBlocks(view),
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
    makeTable<LabelCount>(
      { id, caption },
      [
        rowHeader(id === "flags" ? "Flag" : "Reason", ({ label }) => [code(label)]),
        proseColumn("Meaning", ({ label }) => meanings.get(label) ?? "no meaning recorded"),
        numberColumn("Cold", ({ cold }) => count(cold)),
        numberColumn("Second", ({ second }) => count(second)),
        numberColumn("Warm", ({ warm }) => count(warm)),
      ],
      rows,
    ),
  ];
}

/** Counts early starts: Lambda may initialise an environment before any call, and then no caller waits for it. */
function initialisedEarlyBlocks({ initialisedEarly }: QualityView): readonly Block[] {
  if (initialisedEarly === undefined) return [];
  const { early, reported } = initialisedEarly;
  return [
    paragraph(
      `Initialised early: ${count(early)} of the ${plural(reported, "cold sample")} whose function reports when Init ended (${percent(early / reported)}).`,
    ),
  ];
}

/** The most reasons listed for unreadable log streams. summary.json has all. */
const listedReasons = 3;

/** Says what proves the cold starts of a user's function, which does not report its process. */
function coldProofBlocks({ coldProof }: QualityView): readonly Block[] {
  if (coldProof === undefined) return [];
  const { logStream, initAlone, reasons } = coldProof;
  const byStream = `${count(logStream)} proved by Init and a log stream of ${logStream === 1 ? "its" : "their"} own`;
  const streams = initAlone === 1 ? "its log stream" : "their log streams";
  const why = reasons
    .slice(0, listedReasons)
    .map(({ reason, samples }) => `${reason} (${count(samples)})`);
  const because = why.length === 0 ? "" : `: ${why.join("; ")}`;
  const byInit = `by Init alone, because ${streams} could not be read${because}`;
  if (initAlone === 0) return [paragraph(`Cold starts: ${byStream}.`)];
  return [
    paragraph(
      logStream === 0
        ? `Cold starts: ${count(initAlone)} proved ${byInit}.`
        : `Cold starts: ${byStream}; ${count(initAlone)} ${byInit}.`,
    ),
  ];
}

function failureBlocks({ cellFailures }: QualityView): readonly Block[] {
  if (cellFailures.length === 0) return [paragraph("Every trial of every cell was finished.")];
  return [
    warning(
      `${plural(cellFailures.length, "trial")} could not be started or finished; the other cells continued.`,
    ),
    ...limited(cellFailures, (rows) =>
      makeTable<CellFailure>(
        { id: "cell-failures", caption: "Trials that failed." },
        [
          rowHeader("Cell", ({ cellId }) => cellId, "prose"),
          numberColumn("Block", ({ block }) => count(block)),
          proseColumn("Type", ({ type }) => [code(truncate(type))]),
          proseColumn("Message", ({ message }) => truncate(message)),
        ],
        rows,
      ),
    ),
  ];
}

/** Counts environments without a counterpart in their block: they count in their side's means but in no comparison. */
function leftOutBlocks({ comparisons, recommendation }: ReportView): readonly Block[] {
  const sizes = recommendation?.variants.flatMap(({ fastest, cheapest, balanced }) =>
    [fastest, cheapest, balanced].flatMap((best) =>
      best.kind === "no-choice" ? [] : best.against,
    ),
  );
  const all = [...comparisons.variants, ...comparisons.replicas, ...(sizes ?? [])];
  const sides = all.flatMap(({ leftOut }) =>
    leftOut === undefined ? [] : Math.max(leftOut.environments, leftOut.baselineEnvironments),
  );
  if (sides.length === 0) return [];
  return [
    paragraph(
      `Only blocks that both sides have are compared. In ${count(sides.length)} of ${plural(all.length, "comparison")} up to ${plural(Math.max(...sides), "environment")} on one side ${sides.length === 1 && sides[0] === 1 ? "is" : "are"} left out because the other side has none in the same block. They still count in their own means.`,
    ),
  ];
}

function errorBlocks({ errors, errorsBeyondListed }: QualityView): readonly Block[] {
  if (errors.length === 0) return [];
  const beyond =
    errorsBeyondListed === 0 ? "" : ` ${count(errorsBeyondListed)} more are of other kinds.`;
  return limited(errors, (rows) =>
    makeTable<ErrorGroup>(
      {
        id: "errors",
        caption: `Invocations that failed, by cell and type, with the first one's message.${beyond}`,
      },
      [
        rowHeader("Cell", ({ cellId }) => cellId, "prose"),
        proseColumn("Type", ({ type }) => [code(truncate(type))]),
        numberColumn("Count", (row) => count(row.count)),
        proseColumn("First message", ({ message }) => truncate(message)),
      ],
      rows,
    ),
  );
}

function warningBlocks({ quality }: ReportView): readonly Block[] {
  if (quality.warnings.length === 0) return [];
  return [paragraph("Warnings of the plan and the run:"), list(quality.warnings.map(truncate))];
}

/** Reasons that samples record. The others are found on reading and are not in the file. */
const labelsOfSamples: ReadonlySet<string> = new Set(
  sampleSchema.properties.rejected.properties.reason.enum,
);

/** Lists the rejected samples by reason: the first in full, and where to find the rest. */
function rejectedBlocks({ quality, plan }: ReportView): readonly Block[] {
  return quality.rejected.map((label) => {
    const total = label.cold + label.second + label.warm;
    const rows = quality.rejectedSamples.filter(({ reason }) => reason === label.label);
    const notShown = total - rows.length;
    const shown = notShown === 0 ? "each in full" : `the first ${count(rows.length)} in full`;
    return details(
      [code(label.label), `: ${plural(total, "sample")}, ${shown}`],
      [
        rejectedTable(label, rows),
        ...(notShown === 0 ? [] : [whereTheRestStands(label, notShown, plan)]),
      ],
    );
  });
}

function rejectedTable({ label }: LabelCount, rows: readonly RejectedSample[]): Table {
  return makeTable<RejectedSample>(
    {
      id: `rejected-${label.replace(/[^a-z-]/g, "-")}`,
      caption: ["Rejected as ", code(label), ": where each is in the data, and what it says."],
    },
    [
      rowHeader("Cell", ({ cellId }) => cellId),
      rowHeader("Block", blockText, "number"),
      rowHeader("Sequence", ({ sequence }) => String(sequence), "number"),
      textColumn("Phase", ({ phase }) => phase),
      textColumn("Operation", ({ operation }) => [code(operation)]),
      numberColumn("Duration ms", ({ durationMs }) => number(durationMs)),
      proseColumn("Detail", ({ detail }) => (detail === undefined ? missing : truncate(detail))),
    ],
    rows,
  );
}

function whereTheRestStands(
  { label }: LabelCount,
  left: number,
  { runId }: ReportView["plan"],
): Block {
  const where = [`${count(left)} more are in the folder `, code("samples"), ` of run ${runId}`];
  if (!labelsOfSamples.has(label)) return paragraph([...where, ", a JSON line each."]);
  const line = `"rejected":{"reason":"${label}"`;
  return paragraph([...where, ", a JSON line each: those that say ", code(line), "."]);
}

const throttlingCaption =
  "Throttled: control-plane calls that Lambda refused while environments were forced cold, " +
  "and the wait before they were retried; no measured call is among them.";

/** Shows the coverage of each cell: samples planned, recorded and kept, and failed trials. */
function coverageTable(view: ReportView): Block {
  const throttling = throttlingColumns(view);
  const throttled = throttling.length === 0 ? "" : ` ${throttlingCaption}`;
  return makeTable<CellCoverage>(
    {
      id: "coverage",
      caption: `Samples by cell: planned, recorded, kept; and trials that failed.${throttled}`,
    },
    [
      rowHeader("Cell", ({ cell }) => cell.id),
      textColumn("Variant", ({ cell }) =>
        cell.replicaOf === undefined
          ? variantLabel(view.subject, cell.variant)
          : `${variantLabel(view.subject, cell.variant)}, A/A replica of ${cell.replicaOf}`,
      ),
      numberColumn("Planned", ({ planned }) => count(planned)),
      numberColumn("Recorded", ({ recorded }) => count(recorded)),
      numberColumn("Kept", ({ kept }) => count(kept)),
      numberColumn("Failed trials", ({ failures }) => count(failures)),
      ...throttling,
    ],
    view.quality.cells,
  );
}

/** Returns columns on throttling, if the target counts it. A local machine throttles no calls. */
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
