import { variantLabel } from "../../lib/analysis/report-subject.ts";
import {
  type Block,
  type ColumnOf,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  proseColumn,
  rowHeader,
} from "../../lib/report/document/document.ts";
import { missing, number, ratioText, truncate } from "../../lib/report/document/format.ts";
import { coldBaseline, warmBaseline } from "./collect.ts";
import { pipelines, workload } from "./definition.ts";
import { type EngineFigures, type EngineView, findOperation } from "./figures.ts";
import { publishedEngine, publishedP50Ms, quotient } from "./published.ts";
import { operationLabel } from "./times.ts";

/** Tabulates the ratios, which come first because they are what carries over from one machine to another. */
export function ratioBlocks(view: EngineView): readonly Block[] {
  return [
    heading(2, "How many times faster than DynamoDB Local"),
    paragraph(
      "DynamoDB Local's time over the engine's, with its 95% CI over the rounds: 2 means half the time, 0.5 twice the time. The times are means over the rounds. A round counts by its median request, except for start-up and the tests, which are taken as a whole. An engine that answered an operation wrongly has no ratio there.",
    ),
    ratioTable(view, coldBaseline, [start, ...workload, ...pipelines]),
    ratioTable(view, warmBaseline, workload),
  ];
}

const start = "start-up";

/** Returns the id of the table row of an operation, or of the start, against one baseline. */
export function ratioRowId(baseline: string, row: string): string {
  return `ratios-${baseline}-${row}`;
}

function ratioTable(view: EngineView, baseline: string, rows: readonly string[]): Block {
  const against = baseline === coldBaseline ? view.engines : view.againstWarm;
  const compared = against.filter(({ id }) => id !== coldBaseline && id !== warmBaseline);
  const state = baseline === coldBaseline ? "a cold JVM" : "a warm JVM";
  return makeTable<string>(
    {
      id: `ratios-${baseline}`,
      caption: `DynamoDB Local's time on ${state} over the engine's [95% CI].`,
      rowId: (row) => ratioRowId(baseline, row),
    },
    [
      rowHeader("Operation", (row) => operationLabel(row)),
      ...compared.map(
        (engine): ColumnOf<string> =>
          numberColumn(variantLabel(view.subject, engine.id), (row) => printedRatio(engine, row)),
      ),
      numberColumn<string>("Published, dynoxide HTTP", (row) => publishedRatio(row)),
    ],
    // An operation not measured for the baseline has no ratio; the list of what was not measured gives the reason.
    rows.filter((row) => compared.some((engine) => printedRatio(engine, row) !== missing)),
  );
}

function printedRatio(engine: EngineFigures, row: string): string {
  if (row === start) return ratioText(engine.start.timesAsQuick);
  const operation = findOperation(engine, row);
  if (operation?.wrong !== undefined) return "wrong";
  const isPipeline = pipelines.includes(row);
  return ratioText(isPipeline ? operation?.totalTimesAsQuick : operation?.timesAsQuick);
}

function publishedRatio(row: string): string {
  const published = (id: string) => {
    const { startupMs, pipelinesMs } = publishedEngine(id);
    return row === start ? startupMs : (pipelinesMs?.[row] ?? publishedP50Ms(id, row));
  };
  return number(quotient(published(coldBaseline), published("dynoxide-http")));
}

/** Lists the wrong answers of each engine. */
export function wrongBlocks(view: EngineView): readonly Block[] {
  const rows = view.engines.flatMap((engine) =>
    engine.operations.flatMap((operation) =>
      operation.wrong === undefined ? [] : [{ engine, operation, wrong: operation.wrong }],
    ),
  );
  if (rows.length === 0) {
    return [
      paragraph(
        "Every answer of every engine was checked against what the workload must give, and none was wrong.",
      ),
    ];
  }
  return [
    makeTable<(typeof rows)[number]>(
      {
        id: "wrong-answers",
        caption:
          "Operations that an engine answered wrongly: a wrong answer is not a fast one. They are in no other table.",
      },
      [
        rowHeader("Engine", ({ engine }) => variantLabel(view.subject, engine.id)),
        rowHeader("Operation", ({ operation }) => operationLabel(operation.operation)),
        numberColumn("Rounds", ({ wrong }) => String(wrong.rounds)),
        numberColumn("Wrong answers", ({ wrong }) => String(wrong.answers)),
        { label: "The first", align: "prose", cell: ({ wrong }) => [code(truncate(wrong.first))] },
      ],
      rows,
    ),
  ];
}

/** Tabulates the behaviours tried on every engine, one column each, next to DynamoDB's own. */
export function fidelityBlocks(view: EngineView): readonly Block[] {
  const measured = view.engines.filter(({ fidelity }) => fidelity.length > 0);
  const [first] = measured;
  const intro =
    "Speed says nothing about conformance. The following was tried on each engine in this run; what DynamoDB does is taken from its documentation. It is a small set, not a conformance suite.";
  if (first === undefined) {
    return [heading(2, "Fidelity"), paragraph("It was not tried on any engine in this run.")];
  }
  const rows = first.fidelity.map(({ behaviour, expected }) => ({ behaviour, expected }));
  return [
    heading(2, "Fidelity"),
    paragraph(intro),
    makeTable<(typeof rows)[number]>(
      {
        id: "fidelity",
        caption:
          "Documented behaviours: yes if the engine behaves like DynamoDB, otherwise what it did.",
      },
      [
        rowHeader("Behaviour", ({ behaviour }) => behaviour, "prose"),
        rowHeader("DynamoDB", ({ expected }) => expected, "prose"),
        ...measured.map(
          (engine): ColumnOf<(typeof rows)[number]> =>
            proseColumn(variantLabel(view.subject, engine.id), ({ behaviour }) => {
              const found = engine.fidelity.find((each) => each.behaviour === behaviour);
              if (found === undefined) return missing;
              return found.agrees ? "yes" : truncate(found.found);
            }),
        ),
      ],
      rows,
    ),
  ];
}
