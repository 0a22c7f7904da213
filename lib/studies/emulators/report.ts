import { variantLabel } from "../../analysis/report-subject.ts";
import {
  answerNote,
  type Note,
  paragraph,
  type ReportDocument,
  remark,
  strong,
  type Text,
  warning,
} from "../../report/document/document.ts";
import { count, plural, ratioText } from "../../report/document/format.ts";
import { type RenderedReport, renderedReport } from "../../report/experiment-report.ts";
import { type CsvValue, renderCsv } from "../../report/render/csv.ts";
import { renderTerminal } from "../../report/render/terminal.ts";
import { conditions, limits, microBlocks } from "./conditions.ts";
import {
  type EngineFigures,
  type EngineInputs,
  type EngineView,
  engineView,
  findOperation,
  type OperationFigures,
} from "./figures.ts";
import { fidelityBlocks, ratioBlocks, truncate, wrongBlocks } from "./ratio-tables.ts";
import { startChart, timeBlocks } from "./times.ts";
import { useBlocks } from "./use-tables.ts";

/** The report of a comparison of engines, from the question to the limits. */
function engineDocument(view: EngineView): ReportDocument {
  return {
    title: view.subject.title,
    blocks: [
      paragraph([strong(view.subject.question)]),
      ...engineNotes(view),
      answerNote(engineAnswer(view)),
      ...startChart(view),
      ...ratioBlocks(view),
      ...wrongBlocks(view),
      ...timeBlocks(view),
      ...microBlocks(view.micro),
      ...useBlocks(view),
      ...fidelityBlocks(view),
      ...conditions(view),
      ...limits(),
    ],
  };
}

/** What must be known before a number is read: whether all of it is there, and what is missing why. */
function engineNotes(view: EngineView): readonly Note[] {
  const { counts, status, warnings } = view.manifest;
  const notes: Note[] = [];
  if (status !== "complete" || counts.recorded < counts.planned) {
    const size = `${count(counts.recorded)} of ${count(counts.planned)} planned operations were recorded`;
    notes.push(
      warning([
        strong(`This run is ${status}: ${size}.`),
        " What is missing is missing, and not 0.",
      ]),
    );
  }
  for (const { id, failure } of [...view.engines, ...view.inFiles]) {
    if (failure === undefined) continue;
    const label = variantLabel(view.subject, id);
    const trials = plural(failure.trials, "round");
    notes.push(
      warning([
        strong(`${label}: ${trials} could not be made or finished.`),
        ` ${truncate(failure.message)}`,
      ]),
    );
  }
  const { leftOut = [] } = view.plan;
  if (leftOut.length > 0) notes.push(remark([strong("Not measured:"), ` ${leftOut.join("; ")}.`]));
  return [...notes, ...warnings.map((text) => warning(text))];
}

/** The ratios of dynoxide over HTTP, which the source is about. */
function engineFinding(view: EngineView): Text {
  const id = "dynoxide-http";
  const cold = view.engines.find((engine) => engine.id === id);
  const warm = view.againstWarm.find((engine) => engine.id === id);
  if (cold?.start.timesAsQuick?.ratio === undefined) {
    return "Too little of dynoxide over HTTP and of DynamoDB Local was measured for a ratio between them.";
  }
  const get = ratioText(findOperation(warm, "get")?.timesAsQuick);
  const put = ratioText(findOperation(warm, "put")?.timesAsQuick);
  const pipeline = ratioText(findOperation(cold, "pipeline")?.totalTimesAsQuick);
  return [
    strong("dynoxide over HTTP against DynamoDB Local, times as quick:"),
    ` start-up ${ratioText(cold.start.timesAsQuick)}; against a warm JVM GetItem ${get} and PutItem ${put}; 50 tests one by one ${pipeline}.`,
  ];
}

/** The finding, and how certain it is. */
function engineAnswer(view: EngineView): Text {
  const said = engineFinding(view);
  const { environments } = view.plan.sizes;
  const certainty = ` In brackets: 95 % intervals over ${plural(environments, "planned round")}, on one machine.`;
  return [...(typeof said === "string" ? [said] : said), certainty];
}

/** The report of a comparison of engines in every form. Pure: the same inputs give the same bytes. */
export async function renderEngineReport(inputs: EngineInputs): Promise<RenderedReport> {
  const view = await engineView(inputs);
  const document = engineDocument(view);
  const notes = engineNotes(view);
  const finding = engineFinding(view);
  const headline = renderTerminal(document.title, [...notes, paragraph(finding)], document);
  return renderedReport(view, document, { finding, notes, headline, csv: enginesCsv(view) });
}

/** An engine's operation, or its start, of which only some is known. */
type Line = Pick<OperationFigures, "operation" | "requests" | "timesAsQuick"> &
  Partial<OperationFigures> & { readonly engine: string };

const columns: Readonly<Record<string, (line: Line) => CsvValue>> = {
  engine: ({ engine }) => engine,
  operation: ({ operation }) => operation,
  rounds: ({ requests }) => requests.environments,
  requests: ({ requests }) => requests.n,
  medianMs: ({ requests }) => requests.median,
  lowMs: ({ requests }) => requests.low,
  highMs: ({ requests }) => requests.high,
  p95Ms: ({ p95Ms }) => p95Ms?.value,
  p99Ms: ({ p99Ms }) => p99Ms?.value,
  totalMedianMs: ({ total }) => total?.median,
  memoryMedianKb: ({ memoryKb }) => memoryKb?.median,
  diskBytes: ({ diskBytes }) => diskBytes?.median,
  timesAsQuick: ({ timesAsQuick }) => timesAsQuick?.ratio,
  timesAsQuickLow: ({ timesAsQuick }) => timesAsQuick?.low,
  timesAsQuickHigh: ({ timesAsQuick }) => timesAsQuick?.high,
};

/** A line an engine and operation, unrounded. */
function enginesCsv({ engines, inFiles }: EngineView): string {
  const lines = [...engines, ...inFiles].flatMap(csvLines);
  const rows = lines.map((line) => Object.values(columns).map((column) => column(line)));
  return renderCsv(Object.keys(columns), rows);
}

function csvLines({ id, start, operations }: EngineFigures): readonly Line[] {
  const { startup, timesAsQuick } = start;
  const quicker = timesAsQuick === undefined ? {} : { timesAsQuick };
  return [
    { engine: id, operation: "start_up", requests: startup, ...quicker },
    ...operations.map((figures) => ({ engine: id, ...figures })),
  ];
}
