import {
  answerNote,
  heading,
  list,
  paragraph,
  proseColumn,
  remark,
  strong,
  tableOf,
  warning,
} from "../../document/blocks.ts";
import type { Block, Note, ReportDocument, Text } from "../../document/document.ts";
import { ratioText } from "../../document/format-measure.ts";
import { count, missing, plural } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { fidelityBlocks } from "./fidelity.ts";
import { operationOf } from "./figures.ts";
import { microBlocks } from "./micro.ts";
import { publishedSource } from "./published.ts";
import { clipped, ratioBlocks, wrongBlocks } from "./ratio-tables.ts";
import { startChart } from "./time-charts.ts";
import { timeBlocks, wholeWorkload } from "./time-tables.ts";
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

function conditions(view: EngineView): readonly Block[] {
  const { machine, versions, counts, startedAt, endedAt } = view.manifest;
  const { plan } = view;
  const rejected = Object.entries(counts.rejected).map(([reason, n]) => `${reason} ${n}`);
  const workload = view.engines.map(
    (engine) => `${labelOf(view.subject, engine.id)} ${wholeWorkload(engine)} ms`,
  );
  const facts: readonly (readonly [string, string])[] = [
    [
      "Machine",
      machine === undefined
        ? missing
        : `${machine.cpuModel}, ${plural(machine.cpus, "CPU")}, ${count(machine.memoryMb)} MB, ${machine.os}`,
    ],
    ["Transport", machine?.transport ?? missing],
    ["Rounds", `${plan.sizes.environments}, ${plan.preset} preset, seed ${plan.seed}`],
    [
      "Operations",
      `${count(counts.planned)} planned, ${count(counts.recorded)} recorded, ${count(counts.kept)} kept; rejected: ${rejected.join(", ") || "none"}`,
    ],
    ["Whole workload, medians of its steps added", workload.join("; ")],
    [
      "Versions",
      Object.entries(versions)
        .map((entry) => entry.join(" "))
        .join("; "),
    ],
    ["Started, ended", `${startedAt}, ${endedAt ?? missing}`],
    ["Run", plan.runId],
  ];
  return [
    heading(2, "Conditions"),
    tableOf<(typeof facts)[number]>(
      { id: "conditions", caption: "What was run, and on what.", rowHeaders: 1 },
      [proseColumn("Condition", ([name]) => name), proseColumn("This run", ([, value]) => value)],
      facts,
    ),
  ];
}

function limits(): readonly Block[] {
  return [
    heading(2, "Method and limits"),
    list([
      "Each round starts a new process of every engine, one after the other in a seeded random order, so that the machine's drift falls on all alike; no two engines run at the same time. The unit of the intervals is the round.",
      "One code path makes the 13 steps. Engines over HTTP are asked through the official AWS SDK for Rust without retries, on one thread; the embedded one by the crate's own calls. A request is made before its time is taken, and its answer is looked at afterwards: over HTTP, signing, sending and parsing are timed, and embedded the call alone.",
      "Every answer is held against the workload's own arithmetic: counts, items attribute by attribute, conditions that must fail.",
      "The warm JVM had 500 PutItem and 100 GetItem before its first step. Both JVMs have the default settings of their version; the steps themselves warm a JVM as they go.",
      "The two processors are shared by engine and client: an engine that uses more than one of them takes them from the client, too.",
      "moto and LocalStack answer for many services; only their DynamoDB is asked here. LocalStack's container is started once before the first round, so that no start pulls its image, and the memory in it is not told. An engine with fewer than six rounds has no interval.",
      `The published column is of another machine and other versions (${publishedSource}); it is in no statistic.`,
    ]),
  ];
}
