import { turned } from "../../analysis/findings.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { durationLines, memoryChart } from "../../report/chart/memory-chart.ts";
import { sizeLabel } from "../../report/document/cell-labels.ts";
import {
  type Block,
  type Chart,
  code,
  heading,
  list,
  paragraph,
  plain,
  remark,
} from "../../report/document/document.ts";
import { ratioText } from "../../report/document/format.ts";
import type { ExperimentReport } from "../../report/experiment-report.ts";
import { timesText } from "../../report/first-screen/number-phrases.ts";
import { strongestText } from "../../report/first-screen/sentences.ts";
import type { Topic } from "../../report/first-screen/topic.ts";
import { byVariant } from "../../report/section/columns.ts";
import {
  findPublishedRow,
  type MulticoreFigures,
  multicoreFigures,
  multicoreMetrics,
  publishedPlace,
  readMulticoreMetrics,
  type SizeRow,
  sizeRows,
} from "./figures.ts";
import {
  coreTable,
  costTable,
  durationTable,
  durationTableId,
  initTable,
  speedUpRowId,
  speedUpTable,
} from "./tables.ts";

const interleaved = "rust-interleaved";

/** The report of `multicore`: what memory beyond one vCPU gains and costs, and how much of a core is idle. */
export const multicoreReport: ExperimentReport = {
  metrics: multicoreMetrics,
  metricsOf: readMulticoreMetrics,
  part: (inputs) => {
    const figures = multicoreFigures(inputs);
    return {
      figures,
      topics: (view) => payoffTopics(view, sizeRows(view, figures.sizes)),
      publishedPlace,
      chart: (view) => chart(view, sizeRows(view, figures.sizes)),
      evidence: (view) => evidence(view, figures),
      sections: (view) => sections(view, figures),
      limits: [
        "The hashes are independent and share nothing: work that shares data or waits for a lock gains less from more cores.",
        "Below 1769 MB, all threads share less than one vCPU: more threads cannot make a function faster.",
        "The efficiency assumes the CPU credit that AWS documents, memory MB / 1769; Lambda does not report what a function really got.",
      ],
    };
  },
};

function evidence(view: ReportView, figures: MulticoreFigures): readonly Block[] {
  const rows = sizeRows(view, figures.sizes);
  const perCore = rows.filter(({ cell }) => cell.variant === interleaved);
  return [
    list([
      ...perCore.flatMap(({ cell, toPlainLoop }) =>
        toPlainLoop?.ratio === undefined
          ? []
          : [
              `Interleaved hashes give ${ratioText(toPlainLoop)} times the hashes per second of CPU time of a plain loop over the crate (${sizeLabel(view, cell)}): the crate leaves that much of a core idle.`,
            ],
      ),
    ]),
    ...(view.variants.includes(interleaved)
      ? [
          remark([
            code(interleaved),
            " is a study, not a library: it has its own Blowfish, tests check every output against the crate's, and nobody has reviewed it for security.",
          ]),
        ]
      : []),
  ];
}

const work: Topic["call"] = { on: "for the work", calls: "calls" };

/** Compares the largest size with the smallest, in one topic per variant and architecture. */
function payoffTopics(view: ReportView, rows: readonly SizeRow[]): readonly Topic[] {
  return byVariant(rows).flatMap((group): readonly Topic[] => {
    const [first] = group;
    const last = group.at(-1);
    if (last === undefined || first === last) return [];
    const more = timesText(Number((last.cell.memoryMb / first.cell.memoryMb).toPrecision(2)));
    // The speed-up is the smallest size's time over the largest one's, so it is inverted here.
    const row = speedUpRowId(rows.indexOf(last));
    return [
      {
        subject: `${variantLabel(view.subject, last.cell.variant)} at ${sizeLabel(view, last.cell)} (${more} times the memory)`,
        against: `itself at ${sizeLabel(view, first.cell)}`,
        call: work,
        compared: [{ ...turned(last.speedUp), ...publishedPayoff(first, last), row }],
      },
    ];
  });
}

function publishedPayoff(first: SizeRow, last: SizeRow): { readonly published?: number } {
  const [least, most] = [first, last].map(({ cell }) => findPublishedRow(cell)?.durationMs);
  return least === undefined || most === undefined ? {} : { published: most / least };
}

function sections(view: ReportView, figures: MulticoreFigures): readonly Block[] {
  const rows = sizeRows(view, figures.sizes);
  if (rows.length === 0) return [];
  const isCounted = rows.some(({ hashesPerCpuSecond }) => hashesPerCpuSecond.n > 0);
  return [
    heading(
      2,
      "What memory beyond one vCPU buys",
      "Duration, speed-up and cost of the same work at each size.",
    ),
    durationTable(view, rows),
    speedUpTable(view, rows),
    costTable(view, rows),
    ...(isCounted
      ? [
          heading(2, "What one core does", "Hashes per second of CPU time."),
          paragraph(
            "Lambda's quota withholds CPU time, so durations reflect the quota as well; the CPU time spent reflects the code alone.",
          ),
          coreTable(view, rows),
        ]
      : []),
    heading(2, "Init by architecture", "Init of each variant, all sizes together."),
    initTable(view, figures.inits),
  ];
}

function chart(view: ReportView, rows: readonly SizeRow[]): readonly Chart[] {
  return memoryChart({
    id: "chart-multicore",
    title: plain(
      strongestText(payoffTopics(view, rows), view.margin) ?? "Hashes by memory and variant",
    ),
    description:
      "Warm Duration of the workload: mean over environments with its 95% CI, in ms; both axes are logarithmic.",
    tableId: durationTableId,
    lines: durationLines(view, rows),
  });
}
