import { pipelines, workload } from "../../../contract/engine-workload.ts";
import {
  type ColumnOf,
  code,
  heading,
  numberColumn,
  paragraph,
  tableOf,
  textColumn,
} from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import { ratioText } from "../../document/format-measure.ts";
import { missing, number } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { coldBaseline, warmBaseline } from "./engine-roles.ts";
import { type EngineFigures, operationOf } from "./figures.ts";
import { operationLabel } from "./operations.ts";
import {
  publishedPipelineMs,
  publishedStartupMs,
  publishedTimesAsQuick,
  quotient,
} from "./published.ts";
import type { EngineView } from "./view.ts";

/** Ratios first: they are what one machine can tell another. */
export function ratioBlocks(view: EngineView): readonly Block[] {
  return [
    heading(2, "How many times as quick as DynamoDB Local"),
    paragraph(
      "DynamoDB Local's median over the engine's, with its 95 % interval over the rounds: 2 is twice as quick, 0.5 half. Request by request, but for start-up and the tests, which are whole. An engine that answered an operation wrongly has no ratio there.",
    ),
    ratioTable(view, coldBaseline, [start, ...workload, ...pipelines]),
    ratioTable(view, warmBaseline, workload),
  ];
}

const start = "start-up";

function ratioTable(view: EngineView, baseline: string, rows: readonly string[]): Block {
  const against = baseline === coldBaseline ? view.engines : view.againstWarm;
  const compared = against.filter(({ id }) => id !== coldBaseline && id !== warmBaseline);
  const state = baseline === coldBaseline ? "a JVM as it started" : "a warm JVM";
  return tableOf<string>(
    {
      id: `ratios-${baseline}`,
      caption: `Against DynamoDB Local on ${state}: times as quick [95 % interval].`,
      rowHeaders: 1,
      headline: true,
    },
    [
      textColumn("Operation", (row) => operationLabel(row)),
      ...compared.map(
        (engine): ColumnOf<string> =>
          numberColumn(labelOf(view.subject, engine.id), (row) => ratioOf(engine, row)),
      ),
      numberColumn<string>("Published, dynoxide HTTP", (row) => publishedRatio(row)),
    ],
    // What the baseline was not asked has no ratio at all; why stands among what was not measured.
    rows.filter((row) => compared.some((engine) => ratioOf(engine, row) !== missing)),
  );
}

function ratioOf(engine: EngineFigures, row: string): string {
  if (row === start) return ratioText(engine.start.timesAsQuick);
  const operation = operationOf(engine, row);
  if (operation?.wrong !== undefined) return "wrong";
  const isPipeline = pipelines.includes(row);
  return ratioText(isPipeline ? operation?.totalTimesAsQuick : operation?.timesAsQuick);
}

function publishedRatio(row: string): string {
  const engine = "dynoxide-http";
  if (row === start) {
    return number(quotient(publishedStartupMs(coldBaseline), publishedStartupMs(engine)));
  }
  if (!pipelines.includes(row)) return number(publishedTimesAsQuick(engine, row));
  return number(quotient(publishedPipelineMs(coldBaseline, row), publishedPipelineMs(engine, row)));
}

/** Which engine answers what wrongly, and how. */
export function wrongBlocks(view: EngineView): readonly Block[] {
  const rows = view.engines.flatMap((engine) =>
    engine.operations.flatMap((operation) =>
      operation.wrong === undefined ? [] : [{ engine, operation, wrong: operation.wrong }],
    ),
  );
  if (rows.length === 0) {
    return [
      paragraph(
        "Every answer of every engine was held against the workload's own arithmetic, and none was wrong.",
      ),
    ];
  }
  return [
    tableOf<(typeof rows)[number]>(
      {
        id: "wrong-answers",
        caption:
          "Operations that an engine answered wrongly: wrong, and not fast. They are in no other table.",
        rowHeaders: 2,
        headline: true,
      },
      [
        textColumn("Engine", ({ engine }) => labelOf(view.subject, engine.id)),
        textColumn("Operation", ({ operation }) => operationLabel(operation.operation)),
        numberColumn("Rounds", ({ wrong }) => String(wrong.rounds)),
        numberColumn("Wrong answers", ({ wrong }) => String(wrong.answers)),
        { label: "The first", align: "prose", cell: ({ wrong }) => [code(clipped(wrong.first))] },
      ],
      rows,
    ),
  ];
}

export function clipped(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line === "" ? missing : line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
