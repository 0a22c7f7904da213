import { answerNote, paragraph, remark, strong, warning } from "../../document/blocks.ts";
import type { Block, Note, ReportDocument, Text } from "../../document/document.ts";
import { ratioText } from "../../document/format-measure.ts";
import { count, plural } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { conditions, limits } from "./conditions.ts";
import { fidelityBlocks } from "./fidelity.ts";
import { operationOf } from "./figures.ts";
import { microBlocks } from "./micro.ts";
import { clipped, ratioBlocks, wrongBlocks } from "./ratio-tables.ts";
import { startChart } from "./time-charts.ts";
import { timeBlocks } from "./time-tables.ts";
import { useBlocks } from "./use-tables.ts";
import type { EngineView } from "./view.ts";

/** The report of a comparison of engines, from the question to the limits. */
export function engineDocument(view: EngineView): ReportDocument {
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
export function engineNotes(view: EngineView): readonly Note[] {
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
    const label = labelOf(view.subject, id);
    const visits = plural(failure.visits, "round");
    notes.push(
      warning([
        strong(`${label}: ${visits} could not be made or finished.`),
        ` ${clipped(failure.message)}`,
      ]),
    );
  }
  const { leftOut = [] } = view.plan;
  if (leftOut.length > 0) notes.push(remark([strong("Not measured:"), ` ${leftOut.join("; ")}.`]));
  return [...notes, ...warnings.map((text) => warning(text))];
}

/** The ratios of dynoxide over HTTP, which the source is about; nothing where it was not measured. */
export function answer(view: EngineView): readonly Block[] {
  return [paragraph(engineFinding(view))];
}

export function engineFinding(view: EngineView): Text {
  const id = "dynoxide-http";
  const cold = view.engines.find((engine) => engine.id === id);
  const warm = view.againstWarm.find((engine) => engine.id === id);
  if (cold?.start.timesAsQuick?.ratio === undefined) {
    return "Too little of dynoxide over HTTP and of DynamoDB Local was measured for a ratio between them.";
  }
  const get = ratioText(operationOf(warm, "get")?.timesAsQuick);
  const put = ratioText(operationOf(warm, "put")?.timesAsQuick);
  const pipeline = ratioText(operationOf(cold, "pipeline")?.totalTimesAsQuick);
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
