import { pipelines, workload } from "../../../contract/engine-workload.ts";
import { heading, numberColumn, tableOf, textColumn } from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import { measureText, tailText } from "../../document/format-measure.ts";
import { count, missing, number } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { type EngineFigures, type OperationFigures, operationOf } from "./figures.ts";
import { operationLabel } from "./operations.ts";
import { publishedP50Ms, publishedPipelineMs, publishedStartupMs } from "./published.ts";
import { stepCharts } from "./time-charts.ts";
import type { EngineView } from "./view.ts";

interface Row {
  readonly engine: EngineFigures;
  readonly operation: OperationFigures;
}

/** Absolute times, of this machine. */
export function timeBlocks(view: EngineView): readonly Block[] {
  return [
    heading(2, "Times on this machine"),
    startTable(view),
    ...stepCharts(view),
    workloadTable(view),
    pipelineTable(view),
  ];
}

/** The engines beside each other, operation by operation; what was only answered wrongly has no row. */
function rowsOf(view: EngineView, operations: readonly string[]): readonly Row[] {
  return operations.flatMap((name) =>
    view.engines.flatMap((engine): Row[] => {
      const operation = operationOf(engine, name);
      return operation === undefined || operation.requests.n === 0 ? [] : [{ engine, operation }];
    }),
  );
}

function startTable(view: EngineView): Block {
  return tableOf<EngineFigures>(
    {
      id: "start-up",
      caption:
        "Start-up: from the process's start to its first answer to ListTables, ms; embedded: from the opening of the database. A JVM that is to be warmed starts like the other.",
      rowHeaders: 1,
      headline: true,
    },
    [
      textColumn("Engine", ({ id }) => labelOf(view.subject, id)),
      numberColumn("n", ({ start }) => count(start.startup.n)),
      numberColumn("Mean ms", ({ start }) => number(start.meanMs)),
      numberColumn("SD ms", ({ start }) => number(start.sdMs)),
      numberColumn("Median ms", ({ start }) => measureText(start.startup)),
      numberColumn("Published ms", ({ id }) => number(publishedStartupMs(id))),
    ],
    view.engines,
  );
}

function workloadTable(view: EngineView): Block {
  return tableOf<Row>(
    {
      id: "workload",
      caption:
        "The workload, ms a request by the client's clock: median of the rounds' medians [95 % interval]; percentiles of all requests. Paginated: all pages together.",
      rowHeaders: 2,
    },
    [
      textColumn("Operation", ({ operation }) => operationLabel(operation.operation)),
      textColumn("Engine", ({ engine }) => labelOf(view.subject, engine.id)),
      numberColumn("Requests", ({ operation }) => count(operation.requests.n)),
      numberColumn("Rounds", ({ operation }) => count(operation.requests.environments)),
      numberColumn("P50", ({ operation }) => measureText(operation.requests)),
      numberColumn("P95", ({ operation }) => tailText(operation.p95Ms)),
      numberColumn("P99", ({ operation }) => tailText(operation.p99Ms)),
      numberColumn("Published P50", ({ engine, operation }) =>
        number(publishedP50Ms(engine.id, operation.operation)),
      ),
    ],
    rowsOf(view, workload),
  );
}

function pipelineTable(view: EngineView): Block {
  return tableOf<Row>(
    {
      id: "pipeline",
      caption:
        "A CI pipeline of 50 small tests, each with a table of its own, in the process that had the workload before: ms for all of them, and for one.",
      rowHeaders: 2,
      headline: true,
    },
    [
      textColumn("Tests", ({ operation }) => operationLabel(operation.operation)),
      textColumn("Engine", ({ engine }) => labelOf(view.subject, engine.id)),
      numberColumn("Rounds", ({ operation }) => count(operation.total.environments)),
      numberColumn("All, ms", ({ operation }) => measureText(operation.total)),
      numberColumn("One test, ms", ({ operation }) => measureText(operation.requests)),
      numberColumn("Published, all", ({ engine, operation }) =>
        number(publishedPipelineMs(engine.id, operation.operation)),
      ),
    ],
    rowsOf(view, pipelines),
  );
}

/** The sum of the workload's steps; absent where one of them is. */
export function wholeWorkload(engine: EngineFigures): string {
  const totals = workload.map((name) => operationOf(engine, name)?.total.median);
  if (totals.some((total) => total === undefined)) return missing;
  return number(totals.reduce<number>((sum, total) => sum + (total ?? 0), 0));
}
