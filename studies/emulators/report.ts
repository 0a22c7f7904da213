import { turned } from "../../lib/analysis/findings.ts";
import { variantLabel } from "../../lib/analysis/report-subject.ts";
import type { Compared } from "../../lib/analysis/series-ratio.ts";
import { defined } from "../../lib/contract/defined.ts";
import {
  graveWarning,
  heading,
  list,
  type Note,
  type ReportDocument,
  remark,
  strong,
  type Text,
  warning,
} from "../../lib/report/document/document.ts";
import { count, failureText, number, percent, plural } from "../../lib/report/document/format.ts";
import { foldSections } from "../../lib/report/document/sections.ts";
import { type RenderedReport, renderedReport } from "../../lib/report/experiment-report.ts";
import { type Answer, answer } from "../../lib/report/first-screen/first-screen.ts";
import type { Placed, Topic } from "../../lib/report/first-screen/topic.ts";
import { type CsvValue, renderCsv } from "../../lib/report/render/csv.ts";
import type { ResultStore } from "../../lib/sampler/result-store.ts";
import { defaultMargin } from "../../lib/statistics/verdict.ts";
import { engineTable } from "./answer-table.ts";
import { coldBaseline, warmBaseline } from "./collect.ts";
import { conditions, limits, microBlocks, storedMicro } from "./conditions.ts";
import { workload } from "./definition.ts";
import {
  type EngineFigures,
  type EngineInputs,
  type EngineView,
  engineView,
  findOperation,
  type OperationFigures,
} from "./figures.ts";
import { fidelityBlocks, ratioBlocks, ratioRowId, wrongBlocks } from "./ratio-tables.ts";
import { startChart, timeBlocks } from "./times.ts";
import { useBlocks } from "./use-tables.ts";

/** Builds the report of a comparison of engines: the answer, the ratios, and folded sections. */
function engineDocument(view: EngineView, { block, more }: Answer): ReportDocument {
  return {
    title: view.subject.title,
    blocks: [
      block,
      ...foldSections([
        ...(more.length > 0
          ? [heading(2, "The answer in detail", "Every engine against DynamoDB Local.")]
          : []),
        ...(more.length === 0 ? [] : [list(more)]),
        ...ratioBlocks(view),
        ...wrongBlocks(view),
        ...timeBlocks(view),
        ...microBlocks(view.micro),
        ...useBlocks(view),
        ...fidelityBlocks(view),
        ...conditions(view),
        ...limits(),
      ]),
    ],
  };
}

/** Lists what a reader must know before any number: whether the run is complete, and why something is missing. */
function engineNotes(view: EngineView): readonly Note[] {
  const { counts, status, warnings } = view.manifest;
  const notes: Note[] = [];
  if (status !== "complete" || counts.recorded < counts.planned) {
    const size = `${count(counts.recorded)} of ${count(counts.planned)} planned operations were recorded`;
    notes.push(
      graveWarning(
        [strong(`This run is ${status}: ${size}.`), " What is missing is missing, not 0."],
        `This run is ${status}`,
      ),
    );
  }
  for (const { id, failure } of [...view.engines, ...view.inFiles]) {
    if (failure === undefined) continue;
    const label = variantLabel(view.subject, id);
    const rounds = plural(failure.rounds, "round");
    notes.push(
      graveWarning(
        [
          strong(`${label}: ${rounds} could not be started or finished.`),
          ` ${failureText(failure)}`,
        ],
        `${label}: ${rounds} could not be started or finished (${failureText(failure)})`,
      ),
    );
  }
  const { leftOut = [] } = view.plan;
  if (leftOut.length > 0) notes.push(remark([strong("Not measured:"), ` ${leftOut.join("; ")}.`]));
  return [...notes, ...warnings.map((text) => warning(text))];
}

/** Words for the start of an engine's process, which is not a cold start of a function. */
const engineStart: Topic["call"] = { on: "at its start", calls: "starts", isStart: true };
const request: Topic["call"] = { on: "on a request", calls: "median requests" };

/** Compares every engine with DynamoDB Local: its start with a cold JVM, its requests with a warm one. */
function engineTopics(view: EngineView): readonly Topic[] {
  const topic = (id: string, call: Topic["call"], compared: readonly Placed[]) => ({
    subject: variantLabel(view.subject, id),
    against: "DynamoDB Local",
    call,
    compared,
  });
  const starts = view.engines.map(({ id, start }) =>
    topic(id, engineStart, asTime(start.timesAsQuick, ratioRowId(coldBaseline, "start-up"))),
  );
  const requests = view.againstWarm.map(({ id, operations }) =>
    topic(
      id,
      request,
      operations
        .filter(({ operation }) => workload.includes(operation))
        .flatMap(({ operation, timesAsQuick, wrong }) =>
          wrong === undefined
            ? asTime(timesAsQuick, ratioRowId(warmBaseline, operation)).map((placed) => ({
                ...placed,
                operation,
              }))
            : [],
        ),
    ),
  );
  return [...starts, ...requests];
}

/** Converts a ratio of speeds into one of times; its verdict is already about time. */
function asTime(timesAsQuick: Compared | undefined, row: string): readonly Placed[] {
  if (timesAsQuick === undefined) return [];
  return [{ ...turned(timesAsQuick), verdict: timesAsQuick.verdict, row }];
}

function engineAnswer(view: EngineView): Answer {
  const [chart] = startChart(view);
  const { environments } = view.plan.sizes;
  const topics = engineTopics(view);
  const table = engineTable(view, topics);
  return answer({
    question: view.subject.question,
    notes: engineNotes(view),
    topics,
    mostSentences: 1,
    ...defined({ table }),
    nothing: "Too little was measured for a ratio between DynamoDB Local and any other engine.",
    margin: defaultMargin,
    ...adviceField(view),
    certainty: `${plural(environments, "round")} planned, on one machine, not on AWS; differences under ${percent(defaultMargin)} do not count.`,
    ...defined({ chart }),
  });
}

/** Names the engine with the shortest median for fifty sequential tests. */
function adviceField(view: EngineView): { readonly advice?: Text } {
  const totals = view.engines.flatMap((engine) => {
    const median = findOperation(engine, "pipeline")?.total.median;
    return median === undefined ? [] : [{ id: engine.id, median }];
  });
  const [first] = totals.toSorted((a, b) => a.median - b.median);
  if (first === undefined) return {};
  const label = variantLabel(view.subject, first.id);
  return {
    advice: `50 tests one by one: ${label} has the shortest median, ${number(first.median)} ms.`,
  };
}

/** Renders the report of a comparison of engines in every form. Pure: the same inputs give the same bytes. */
export async function renderEngineReport(inputs: EngineInputs): Promise<RenderedReport> {
  const view = await engineView(inputs);
  const answer = engineAnswer(view);
  const notes = engineNotes(view);
  return renderedReport(view, engineDocument(view, answer), {
    answer,
    notes,
    csv: enginesCsv(view),
  });
}

/** Same as renderEngineReport, with the calls of the embedded engine if the run's folder has them. */
export async function renderStoredEngines(
  inputs: Omit<EngineInputs, "micro">,
  store: ResultStore,
): Promise<RenderedReport> {
  const micro = await storedMicro(store);
  return await renderEngineReport({ ...inputs, ...defined({ micro }) });
}

/** An operation of an engine, or its start, which has only some of the figures. */
type Line = Pick<OperationFigures, "operation" | "requests" | "timesAsQuick"> &
  Partial<OperationFigures> & { readonly engine: string };

const columns: Readonly<Record<string, (line: Line) => CsvValue>> = {
  engine: ({ engine }) => engine,
  operation: ({ operation }) => operation,
  rounds: ({ requests }) => requests.environments,
  requests: ({ requests }) => requests.n,
  medianMs: ({ requests }) => requests.median,
  lowMs: ({ requests }) => requests.medianInterval?.low,
  highMs: ({ requests }) => requests.medianInterval?.high,
  p95Ms: ({ p95Ms }) => p95Ms?.value,
  p99Ms: ({ p99Ms }) => p99Ms?.value,
  totalMedianMs: ({ total }) => total?.median,
  memoryMedianKb: ({ memoryKb }) => memoryKb?.median,
  diskBytes: ({ diskBytes }) => diskBytes?.median,
  timesAsQuick: ({ timesAsQuick }) => timesAsQuick?.ratio,
  timesAsQuickLow: ({ timesAsQuick }) => timesAsQuick?.low,
  timesAsQuickHigh: ({ timesAsQuick }) => timesAsQuick?.high,
};

/** Renders one line per engine and operation, unrounded. */
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
