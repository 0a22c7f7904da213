import { memoryChart } from "../../chart/memory-chart.ts";
import { heading, paragraph } from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import type { ExperimentReport } from "../../experiment-report.ts";
import { labelOf } from "../../report-subject.ts";
import type { ReportView } from "../../view/report-view.ts";
import { variantsRun } from "../../view/select.ts";
import { s3FanoutAnswer, s3FanoutFinding } from "./answer.ts";
import { type S3FanoutFigures, s3FanoutFigures } from "./figures.ts";
import { asItComes, s3FanoutQuantities, s3FanoutQuantitiesOf } from "./quantities.ts";
import { type SettingRow, settingRows } from "./rows.ts";
import { boundTable, durationTable, durationTableId, factorTable, gainTable } from "./tables.ts";

/** Of `s3-fanout`: what calls at the same time give, by memory, and what holds them back. */
export const s3FanoutReport: ExperimentReport = {
  quantities: s3FanoutQuantities,
  quantitiesOf: s3FanoutQuantitiesOf,
  part: (inputs) => {
    const figures = s3FanoutFigures(inputs);
    return {
      figures,
      answer: (view) => s3FanoutAnswer(view, figures),
      finding: (view) => s3FanoutFinding(view, figures),
      sections: (view) => sections(view, figures),
      limits: [
        "Answers of a few hundred bytes: with larger ones the network's width counts, and where they take longer calls at the same time gain more.",
        "The SDK call's time is summed over calls that run at the same time, and counts their wait for the interpreter's turn and for a connection of the pool.",
        "aioboto3 keeps to an older botocore than the boto3 beside it; a difference between the two is the libraries' as they can be had together, not threads against tasks alone.",
        "aioboto3's packages are deployed as source, for an archive keeps no valid bytecode: each Init compiles them. Init is no part of the fan-out's Duration.",
        "On one machine only requests are delayed, connections are not: what opens connections anew, as a pool too small does, costs more on a real network.",
      ],
    };
  },
};

function sections(view: ReportView, figures: S3FanoutFigures): readonly Block[] {
  const rows = settingRows(view, figures.settings);
  const plain = rows.filter(({ operation }) => operation === asItComes);
  if (plain.length === 0) return [];
  const isBounded = rows.some(
    ({ bounds }) => bounds.waitingMs !== undefined || bounds.cpuMs !== undefined,
  );
  return [
    heading(2, "What calls at the same time buy"),
    paragraph(
      "Each fan-out lists a hundred objects and asks for the access control list of each: a hundred and one small answers, most of their time spent waiting.",
    ),
    ...chart(view, plain),
    durationTable(view, plain),
    gainTable(view, figures.gains),
    heading(2, "Concurrency and pool size"),
    factorTable(view, figures.factors),
    ...(isBounded ? [heading(2, "What bounds it"), boundTable(view, rows)] : []),
  ];
}

function chart(view: ReportView, rows: readonly SettingRow[]): readonly Block[] {
  return memoryChart({
    id: "chart-s3-fanout",
    title: "Fan-out by memory and variant",
    description:
      "Warm Duration of the fan-out: median over environments with its 95 % interval, in ms; both axes are logarithmic.",
    tableId: durationTableId,
    lines: variantsRun(view).map((variant) => ({
      label: labelOf(view.subject, variant),
      points: rows
        .filter(({ cell }) => cell.variant === variant)
        .map(({ cell, series }) => ({ cell, measure: series.durationMs })),
    })),
  });
}
