import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { variantsRun } from "../../analysis/select.ts";
import { durationLines, memoryChart } from "../../report/chart/memory-chart.ts";
import { sizeLabel } from "../../report/document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  list,
  paragraph,
  remark,
  type Text,
} from "../../report/document/document.ts";
import { ratioText } from "../../report/document/format.ts";
import type { ExperimentReport } from "../../report/experiment-report.ts";
import { answers } from "../../report/section/answer.ts";
import { byVariant } from "../../report/section/columns.ts";
import { finding } from "../../report/section/opening.ts";
import { bestText } from "../../report/section/recommendation.ts";
import {
  type MulticoreFigures,
  multicoreFigures,
  multicoreMetrics,
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
  speedUpTable,
} from "./tables.ts";

const interleaved = "rust-interleaved";

/** Of `multicore`: what memory beyond one vCPU buys, what it costs, and what the cores leave idle. */
export const multicoreReport: ExperimentReport = {
  metrics: multicoreMetrics,
  metricsOf: readMulticoreMetrics,
  part: (inputs) => {
    const figures = multicoreFigures(inputs);
    return {
      figures,
      answer: (view) => answer(view, figures),
      finding: (view) => multicoreFinding(view, figures),
      sections: (view) => sections(view, figures),
      limits: [
        "Independent hashes that share nothing: work that shares data or waits for a lock gains less from more cores.",
        "Threads below 1769 MB share less than one vCPU: more of them than that cannot make a function faster.",
        "The efficiency takes the CPU credit as AWS documents it, memory MB / 1769; what a function really got is not told by Lambda.",
      ],
    };
  },
};

function answer(view: ReportView, figures: MulticoreFigures): readonly Block[] {
  const rows = sizeRows(view, figures.sizes);
  const perCore = rows.filter(({ cell }) => cell.variant === interleaved);
  return [
    list([
      ...payoffs(view, rows),
      ...perCore.flatMap(({ cell, toPlainLoop }) =>
        toPlainLoop?.ratio === undefined
          ? []
          : [
              `Interleaved hashes give ${ratioText(toPlainLoop)} times the hashes per second of CPU of a plain loop over the crate (${sizeLabel(view, cell)}): that much of a core the crate leaves idle.`,
            ],
      ),
    ]),
    ...(variantsRun(view).includes(interleaved)
      ? [
          remark([
            code(interleaved),
            " is a study and no library: its own Blowfish, every output held against the crate's in tests, reviewed by nobody for keeping secrets.",
          ]),
        ]
      : []),
    ...answers(view),
  ];
}

/** What the largest size gives over the smallest, and which size to take: of the baseline. */
function multicoreFinding(view: ReportView, figures: MulticoreFigures): Text {
  const { baselineVariant } = view.subject;
  const rows = sizeRows(view, figures.sizes).filter(({ cell }) => cell.variant === baselineVariant);
  const choice = view.recommendation?.variants.find(({ variant }) => variant === baselineVariant);
  const gains = payoffs(view, rows).map((gain) => gain.replace(/\.$/, ""));
  if (choice === undefined || gains.length === 0) return finding(view);
  const { fastest, cheapest } = choice;
  return `${gains.join("; ")}; fastest: ${bestText(view, fastest)}; cheapest: ${bestText(view, cheapest)}.`;
}

/** From the smallest size to the largest, a sentence a variant and architecture. */
function payoffs(view: ReportView, rows: readonly SizeRow[]): readonly string[] {
  return byVariant(rows).flatMap((group) => {
    const [first] = group;
    const last = group.at(-1);
    if (last === undefined || first === last) return [];
    const label = variantLabel(view.subject, first.cell.variant);
    const more = (last.cell.memoryMb / first.cell.memoryMb).toFixed(2);
    return [
      `${label}: from ${sizeLabel(view, first.cell)} to ${sizeLabel(view, last.cell)}, ${more} times the memory, ${ratioText(last.speedUp)} times as fast.`,
    ];
  });
}

function sections(view: ReportView, figures: MulticoreFigures): readonly Block[] {
  const rows = sizeRows(view, figures.sizes);
  if (rows.length === 0) return [];
  const isCounted = rows.some(({ hashesPerCpuSecond }) => hashesPerCpuSecond.n > 0);
  return [
    heading(2, "What memory beyond one vCPU buys"),
    ...chart(view, rows),
    durationTable(view, rows),
    speedUpTable(view, rows),
    costTable(view, rows),
    ...(isCounted
      ? [
          heading(2, "What one core does"),
          paragraph(
            "Lambda's quota takes CPU time away, so that durations tell of the quota too; the CPU time that was spent tells of the code alone.",
          ),
          coreTable(view, rows),
        ]
      : []),
    heading(2, "Init by architecture"),
    initTable(view, figures.inits),
  ];
}

function chart(view: ReportView, rows: readonly SizeRow[]): readonly Block[] {
  return memoryChart({
    id: "chart-multicore",
    title: "Hashes by memory and variant",
    description:
      "Warm Duration of the workload: median over environments with its 95 % interval, in ms; both axes are logarithmic.",
    tableId: durationTableId,
    lines: durationLines(view, rows),
  });
}
