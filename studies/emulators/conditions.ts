import { variantLabel } from "../../lib/analysis/report-subject.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import {
  type Block,
  heading,
  list,
  makeTable,
  numberColumn,
  paragraph,
  rowHeader,
} from "../../lib/report/document/document.ts";
import { count, medianText, missing, number } from "../../lib/report/document/format.ts";
import { factTable, machineFact } from "../../lib/report/section/conditions.ts";
import type { Fact } from "../../lib/report/section/imported.ts";
import type { ResultStore } from "../../lib/sampler/result-store.ts";
import { microContract } from "./contract.ts";
import { callNames } from "./definition.ts";
import type { EngineView } from "./figures.ts";
import { publishedMicroUs, publishedSource } from "./published.ts";
import { wholeWorkload } from "./times.ts";
import type { MicroBenchmarks } from "./types/contract.ts";

/** Lists what was run, and on what. */
export function conditions(view: EngineView): readonly Block[] {
  return [heading(2, "Conditions"), factTable(listConditions(view))];
}

function listConditions(view: EngineView): readonly Fact[] {
  const { machine, versions, counts, startedAt, endedAt } = view.manifest;
  const { plan } = view;
  const rejected = Object.entries(counts.rejected).map(([reason, n]) => `${reason} ${n}`);
  const workload = view.engines.flatMap((engine) => {
    const whole = wholeWorkload(engine);
    return whole === missing ? [] : [`${variantLabel(view.subject, engine.id)} ${whole} ms`];
  });
  return [
    ["Machine", machine === undefined ? missing : machineFact(machine)],
    ["Transport", machine?.transport ?? missing],
    ["Rounds", `${plan.sizes.environments}, ${plan.preset} preset, seed ${plan.seed}`],
    [
      "Operations",
      `${count(counts.planned)} planned, ${count(counts.recorded)} recorded, ${count(counts.kept)} kept; rejected: ${rejected.join(", ") || "none"}`,
    ],
    ["Whole workload, medians of its steps added", workload.join("; ") || missing],
    [
      "Versions",
      Object.entries(versions)
        .map((entry) => entry.join(" "))
        .join("; "),
    ],
    ["Started, ended", `${startedAt}, ${endedAt ?? missing}`],
    ["Run", plan.runId],
  ];
}

/** Explains the method, and its limits. */
export function limits(): readonly Block[] {
  return [
    heading(2, "Method and limits"),
    list([
      "Each round starts a new process of every engine, one after another in a seeded random order, so that the machine's drift affects all alike; no two engines run at the same time. The unit of the intervals is the round.",
      "One code path makes the 13 steps. Engines over HTTP are called through the official AWS SDK for Rust without retries, on one thread; the embedded one through the crate's own API. Requests are built before the clock starts and answers are checked after it stops: over HTTP, signing, sending and parsing are timed; embedded, the call alone.",
      "Every answer is checked against what the workload must give: counts, items attribute by attribute, conditions that must fail.",
      "The warm JVM handled 500 PutItem and 100 GetItem before its first step. Both JVMs use the default settings of their version; the steps themselves warm a JVM as they go.",
      "Engine and client share the processors: an engine that uses more than one takes time from the client, too.",
      "moto and LocalStack answer for many services; only their DynamoDB is used here. LocalStack's container is started once before the first round, so that no measured start pulls its image; the memory inside it is not reported. An engine with fewer than six rounds has no interval.",
      `The published column comes from another machine and other versions (${publishedSource}); it is in no statistic.`,
    ]),
  ];
}

type Call = MicroBenchmarks["calls"][number];

/** Shows the embedded engine's single calls, or how to measure them. */
export function microBlocks(micro: MicroBenchmarks | undefined): readonly Block[] {
  const title = heading(2, "Embedded, call by call");
  if (micro === undefined) {
    return [
      title,
      paragraph(
        "Not measured for this run: npm run bench:micro -- --run with the run's folder times single calls of embedded dynoxide by criterion, and puts them here.",
      ),
    ];
  }
  const versions = Object.entries(micro.versions).map((entry) => entry.join(" "));
  return [
    title,
    paragraph(
      `Single calls of dynoxide in the process that makes them, in a table of 1,000 items, timed by criterion, not by this run: ${micro.measuredAt}, ${micro.machine}, ${versions.join(", ")}. They are not compared with any engine over HTTP.`,
    ),
    makeTable<Call>(
      {
        id: "micro",
        caption:
          "Embedded calls, microseconds: criterion's median [95% CI]. The call alone: its request is built before, and its answer read after.",
      },
      [
        rowHeader("Call", ({ call }) => callNames[call]?.label ?? call),
        numberColumn("Median us", (call) => microsecondsText(call)),
        numberColumn("Published us", ({ call }) =>
          number(publishedMicroUs(callNames[call]?.published)),
        ),
      ],
      micro.calls,
    ),
  ];
}

function microsecondsText({ medianNs, lowNs, highNs }: Call): string {
  const medianInterval = { low: lowNs / 1000, high: highNs / 1000, confidence: 0.95 };
  return medianText({ median: medianNs / 1000, medianInterval });
}

/** Path of the embedded engine's calls. The checksums do not cover it, because it may be measured again at any time. */
export const microPath = "micro.json";

/** Returns the timed calls of the embedded engine; undefined if there are none. Throws InvalidInput. */
export async function storedMicro(store: ResultStore): Promise<MicroBenchmarks | undefined> {
  const text = await store.readText(microPath);
  return text === undefined ? undefined : microContract.validated(requireJson(microPath, text));
}
