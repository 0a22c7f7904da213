import { variantLabel } from "../../lib/analysis/report-subject.ts";
import type { Measure } from "../../lib/analysis/series-view.ts";
import {
  intervalSeries,
  logAxisOption,
  marksSeries,
  rowsPanel,
} from "../../lib/report/chart/axes.ts";
import { measureAxis } from "../../lib/report/chart/memory-chart.ts";
import { variantStyle } from "../../lib/report/chart/svg-chart.ts";
import {
  type Block,
  type Chart,
  heading,
  makeTable,
  numberColumn,
  type Panel,
  rowHeader,
} from "../../lib/report/document/document.ts";
import { count, medianText, missing, number, tailText } from "../../lib/report/document/format.ts";
import { operationNames, pipelines, workload } from "./definition.ts";
import {
  type EngineFigures,
  type EngineView,
  findOperation,
  type OperationFigures,
} from "./figures.ts";
import { publishedEngine, publishedP50Ms } from "./published.ts";

interface Row {
  readonly engine: EngineFigures;
  readonly operation: OperationFigures;
}

/** Tabulates absolute times on this machine. */
export function timeBlocks(view: EngineView): readonly Block[] {
  return [
    heading(2, "Times on this machine"),
    startTable(view),
    ...stepCharts(view),
    workloadTable(view),
    pipelineTable(view),
  ];
}

/** Lists the engines next to each other, operation by operation; an operation with only wrong answers has no row. */
function timeRows(view: EngineView, operations: readonly string[]): readonly Row[] {
  return operations.flatMap((name) =>
    view.engines.flatMap((engine): Row[] => {
      const operation = findOperation(engine, name);
      return operation === undefined || operation.requests.n === 0 ? [] : [{ engine, operation }];
    }),
  );
}

/** Returns the id of the table row with an engine's start. */
export function startRowId(engine: string): string {
  return `start-up-${engine}`;
}

function startTable(view: EngineView): Block {
  return makeTable<EngineFigures>(
    {
      id: "start-up",
      caption:
        "Start-up: from the start of the process to its first answer to ListTables, ms; embedded: from opening the database. A JVM that is warmed later starts like the other.",
      rowId: ({ id }) => startRowId(id),
    },
    [
      rowHeader("Engine", ({ id }) => variantLabel(view.subject, id)),
      numberColumn("n", ({ start }) => count(start.startup.n)),
      numberColumn("Mean ms", ({ start }) => number(start.meanMs)),
      numberColumn("SD ms", ({ start }) => number(start.sdMs)),
      numberColumn("Median ms", ({ start }) => medianText(start.startup)),
      numberColumn("Published ms", ({ id }) => number(publishedEngine(id).startupMs)),
    ],
    view.engines,
  );
}

function workloadTable(view: EngineView): Block {
  return makeTable<Row>(
    {
      id: "workload",
      caption:
        "The workload, ms per request on the client's clock: median of the rounds' medians [95% CI]; percentiles of all requests. Paginated: all pages together.",
    },
    [
      rowHeader("Operation", ({ operation }) => operationLabel(operation.operation)),
      rowHeader("Engine", ({ engine }) => variantLabel(view.subject, engine.id)),
      numberColumn("Requests", ({ operation }) => count(operation.requests.n)),
      numberColumn("Rounds", ({ operation }) => count(operation.requests.environments)),
      numberColumn("P50", ({ operation }) => medianText(operation.requests)),
      numberColumn("P95", ({ operation }) => tailText(operation.p95Ms)),
      numberColumn("P99", ({ operation }) => tailText(operation.p99Ms)),
      numberColumn("Published P50", ({ engine, operation }) =>
        number(publishedP50Ms(engine.id, operation.operation)),
      ),
    ],
    timeRows(view, workload),
  );
}

function pipelineTable(view: EngineView): Block {
  return makeTable<Row>(
    {
      id: "pipeline",
      caption:
        "A CI pipeline of 50 small tests, each with its own table, in the process that ran the workload before: ms for all of them, and for one.",
    },
    [
      rowHeader("Tests", ({ operation }) => operationLabel(operation.operation)),
      rowHeader("Engine", ({ engine }) => variantLabel(view.subject, engine.id)),
      numberColumn("Rounds", ({ operation }) => count(operation.total.environments)),
      numberColumn("All, ms", ({ operation }) => medianText(operation.total)),
      numberColumn("One test, ms", ({ operation }) => medianText(operation.requests)),
      numberColumn("Published, all", ({ engine, operation }) =>
        number(publishedEngine(engine.id).pipelinesMs?.[operation.operation]),
      ),
    ],
    timeRows(view, pipelines),
  );
}

/** Returns the sum of the workload's steps; `missing` if one of them is absent. */
export function wholeWorkload(engine: EngineFigures): string {
  const totals = workload.map((name) => findOperation(engine, name)?.total.median);
  if (totals.some((total) => total === undefined)) return missing;
  return number(totals.reduce<number>((sum, total) => sum + (total ?? 0), 0));
}

/** Draws each engine's start-up time. */
export function startChart(view: EngineView): readonly Chart[] {
  return medianRowsChart(
    {
      id: "chart-engines-start",
      title: "Start-up",
      description:
        "Median over the rounds with its 95% CI, in ms, logarithmic. Further left is faster.",
      tableId: "start-up",
    },
    [timePanel(view, "start-up", ({ start }) => start.startup)],
  );
}

/** Draws the duration of a request of each step, and of a test of a pipeline, in a panel each; a row per engine. */
function stepCharts(view: EngineView): readonly Block[] {
  return medianRowsChart(
    {
      id: "chart-engines-steps",
      title: "A request of each step",
      description:
        "Median over the rounds with its 95% CI, in ms, logarithmic and on one scale: for a request, and for one test of a pipeline. Further left is faster.",
      tableId: "workload",
    },
    [...workload, ...pipelines].map((name) =>
      timePanel(view, name, (engine) => findOperation(engine, name)?.requests),
    ),
  );
}

function timePanel(
  view: EngineView,
  name: string,
  measureOf: (engine: EngineFigures) => Measure | undefined,
): MedianPanel {
  const rows = view.engines.flatMap((engine, style) => {
    const measure = measureOf(engine);
    const label = variantLabel(view.subject, engine.id);
    return measure === undefined || measure.n === 0 ? [] : [{ label, style, measure }];
  });
  return { label: operationLabel(name), rows };
}

export function operationLabel(name: string): string {
  return operationNames[name]?.label ?? name;
}

/** Medians in one panel, and its label. */
interface MedianPanel {
  readonly label: string;
  readonly rows: readonly MedianRow[];
}

interface MedianRow {
  readonly label: string;
  /** Index of the engine in every panel, which determines its mark and colour. */
  readonly style: number;
  readonly measure: Measure;
}

/** Draws medians in ms with their intervals, one per row; all panels share one logarithmic scale. */
function medianRowsChart(
  chart: Pick<Chart, "id" | "title" | "description" | "tableId">,
  panels: readonly MedianPanel[],
): readonly Chart[] {
  const drawn = panels.filter(({ rows }) => rows.some(({ measure }) => (measure.median ?? 0) > 0));
  if (drawn.length === 0) return [];
  const all = drawn.flatMap(({ rows }) => rows);
  const axis = measureAxis(
    all.map(({ measure: { median = 0, medianInterval } }) => ({ mean: median, ...medianInterval })),
  );
  const pictures = drawn.map(({ label, rows }): Panel => {
    const medians = rows.map((row) => `${row.label}: ${medianText(row.measure)} ms`);
    return rowsPanel(label, {
      title: `${chart.title}: ${label}`,
      description: `Median [95% CI]. ${medians.join("; ")}.`,
      rows,
      wordsOf: (row) => [row.label, medianText(row.measure)],
      xAxis: logAxisOption("ms, log scale", axis),
      isScaleShown: true,
      seriesOf: (slots) => slots.flatMap(({ row, at }) => rowSeries(row, at)),
    });
  });
  return [{ kind: "chart", ...chart, panelSize: "small", panels: pictures }];
}

function rowSeries({ style, measure: { median = 0, medianInterval } }: MedianRow, at: number) {
  const { colour, symbol } = variantStyle(style);
  const bars =
    medianInterval === undefined || medianInterval.low <= 0 ? [] : [{ at, ...medianInterval }];
  return [
    intervalSeries(bars, "x", colour, { lineWidth: 2 }),
    marksSeries(symbol, median > 0 ? [[median, at]] : [], { color: colour, opacity: 1 }),
  ];
}
