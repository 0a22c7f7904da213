import sampleSchema from "../../contract/schemas/sample.schema.json" with { type: "json" };
import type { RejectedSample } from "../collect/rejected-samples.ts";
import {
  code,
  details,
  numberColumn,
  paragraph,
  proseColumn,
  tableOf,
  textColumn,
} from "../document/blocks.ts";
import type { Block, Table } from "../document/document.ts";
import { count, missing, number, plural } from "../document/format-number.ts";
import type { LabelCount } from "../view/quality-view.ts";
import type { ReportView } from "../view/report-view.ts";
import { clipped } from "./clipped.ts";

/** The other reasons are found when the samples are read, and no line says them. */
const labelsOfSamples: ReadonlySet<string> = new Set(
  sampleSchema.properties.rejected.properties.reason.enum,
);

/** Each reason's samples one by one: the first of them in full, and where the rest stand. */
export function rejectedBlocks({ quality, plan }: ReportView): readonly Block[] {
  return quality.rejected.map((label) => {
    const total = label.cold + label.second + label.warm;
    const rows = quality.rejectedSamples.filter(({ reason }) => reason === label.label);
    const left = total - rows.length;
    const shown = left === 0 ? "each in full" : `the first ${count(rows.length)} in full`;
    return details(
      [code(label.label), `: ${plural(total, "sample")}, ${shown}`],
      [rejectedTable(label, rows), ...(left === 0 ? [] : [whereTheRestStands(label, left, plan)])],
    );
  });
}

function rejectedTable({ label }: LabelCount, rows: readonly RejectedSample[]): Table {
  return tableOf<RejectedSample>(
    {
      id: `rejected-${label.replace(/[^a-z-]/g, "-")}`,
      caption: ["Rejected as ", code(label), ": where each stands in the data, and what it says."],
      rowHeaders: 3,
    },
    [
      textColumn("Cell", ({ cellId }) => cellId),
      numberColumn("Block", ({ block, attempt }) =>
        attempt === undefined ? String(block) : `${block}, attempt ${attempt}`,
      ),
      numberColumn("Sequence", ({ sequence }) => String(sequence)),
      textColumn("Phase", ({ phase }) => phase),
      textColumn("Operation", ({ operation }) => [code(operation)]),
      numberColumn("Duration ms", ({ durationMs }) => number(durationMs)),
      proseColumn("Detail", ({ detail }) => (detail === undefined ? missing : clipped(detail))),
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
