import { heading, list, proseColumn, tableOf } from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import { count, missing, plural } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { publishedSource } from "./published.ts";
import { wholeWorkload } from "./time-tables.ts";
import type { EngineView } from "./view.ts";

/** A condition, and what it was in this run. */
type Condition = readonly [name: string, value: string];

/** What was run, and on what. */
export function conditions(view: EngineView): readonly Block[] {
  return [
    heading(2, "Conditions"),
    tableOf<Condition>(
      { id: "conditions", caption: "What was run, and on what.", rowHeaders: 1 },
      [proseColumn("Condition", ([name]) => name), proseColumn("This run", ([, value]) => value)],
      conditionsOf(view),
    ),
  ];
}

function conditionsOf(view: EngineView): readonly Condition[] {
  const { machine, versions, counts, startedAt, endedAt } = view.manifest;
  const { plan } = view;
  const rejected = Object.entries(counts.rejected).map(([reason, n]) => `${reason} ${n}`);
  const workload = view.engines.flatMap((engine) => {
    const whole = wholeWorkload(engine);
    return whole === missing ? [] : [`${labelOf(view.subject, engine.id)} ${whole} ms`];
  });
  return [
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

/** How it was measured, and what it does not say. */
export function limits(): readonly Block[] {
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
