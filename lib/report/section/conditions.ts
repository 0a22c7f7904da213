import { originGroups, originText } from "../../analysis/origins.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { memoryMbPerVcpu } from "../../contract/cpu-credit.ts";
import type { Machine } from "../../contract/types/contract.ts";
import { findService, idleSpreadMs } from "../../plan/trial-calls.ts";
import {
  type Block,
  heading,
  makeTable,
  proseColumn,
  rowHeader,
  type Table,
} from "../document/document.ts";
import { count, missing, plural } from "../document/format.ts";
import { type Fact, importedFacts, importedPlace } from "./imported.ts";
import { mixedOrigins } from "./origins.ts";

/** Lists what a reader needs to repeat the run. */
export function conditionsSection(view: ReportView): readonly Block[] {
  return [
    heading(2, "Conditions", "What it takes to repeat this run."),
    factTable([
      ...targetFacts(view),
      ...(importedFacts(view.manifest) ?? planFacts(view)),
      ...versionFacts(view),
      ...originFacts(view),
    ]),
    ...mixedOrigins(view),
  ];
}

export function factTable(facts: readonly Fact[]): Table {
  return makeTable<Fact>(
    { id: "conditions", caption: "What was run, and on what." },
    [
      rowHeader("Condition", ([name]) => name, "prose"),
      proseColumn("This run", ([, value]) => value),
    ],
    facts,
  );
}

export function machineFact({ cpuModel, cpus, memoryMb, os }: Machine): string {
  return `${cpuModel}, ${plural(cpus, "CPU")}, ${count(memoryMb)} MB, ${os}`;
}

function targetFacts({ manifest, plan, simulated }: ReportView): readonly Fact[] {
  const { machine, region, target, imported } = manifest;
  const names = {
    aws: "AWS Lambda",
    local: "this machine (simulated)",
    fake: "a fake (simulated)",
    imported: imported === undefined ? "" : `${importedPlace(imported)} (imported)`,
  };
  const architectures = [...new Set(plan.cells.map((cell) => cell.architecture))];
  const facts: Fact[] = [["Target", names[target]]];
  if (!simulated) facts.push(["Region", region ?? missing]);
  facts.push(["Architecture", architectures.join(", ")]);
  if (machine === undefined) return facts;
  const service = findService(plan);
  const { memoryLimit, transport, networkProfile } = machine;
  facts.push(
    ["Machine", machineFact(machine)],
    ["CPU quota", quotaText(machine)],
    ["Memory limit", memoryLimit],
    ...(service === undefined ? [] : [[`Transport to ${service}`, transport ?? missing] as const]),
    ["Network profile", networkProfile ?? "none added"],
    ["Before each call", idleText(plan)],
  );
  return facts;
}

function idleText({ idleMs }: ReportView["plan"]): string {
  return idleMs === undefined
    ? "not idle: a call follows the one before at once"
    : `idle for ${idleMs} to ${idleMs + idleSpreadMs} ms, at random; an environment's first call follows its Init at once`;
}

function quotaText({ cpuQuota, bandwidthSliceMs, staysOnOneCpu = false }: Machine): string {
  if (cpuQuota === "unthrottled") return "none: unthrottled";
  const slice =
    bandwidthSliceMs === undefined
      ? ""
      : `, handed out to the CPUs in slices of ${bandwidthSliceMs} ms`;
  const place = staysOnOneCpu
    ? `; functions of up to ${memoryMbPerVcpu} MB stay on one CPU after Init`
    : "";
  return `memory MB / 1769 of a CPU in periods of 20 ms (${cpuQuota})${slice}${place}`;
}

function planFacts({ plan, manifest }: ReportView): readonly Fact[] {
  const { sizes } = plan;
  const { planned, recorded, kept, rejected } = manifest.counts;
  const { instrumented = 0 } = rejected;
  const countedText =
    instrumented === 0 ? "" : `; ${count(instrumented)} only to count instructions`;
  const warm =
    sizes.warmEnvironments === 0
      ? "no warm calls"
      : `${plural(sizes.warmCalls, "warm call")} per operation in ${plural(sizes.warmEnvironments, "of them", "of them")}${discardedText(sizes)}`;
  return [
    ["Preset", plan.preset],
    ["Seed", String(plan.seed)],
    ["Per cell", `${plural(sizes.environments, "new environment")}; ${warm}`],
    ["Lanes", `${plural(plan.lanes, "cell")} measured at the same time`],
    [
      "Samples",
      `${count(planned)} planned, ${count(recorded)} recorded, ${count(kept)} kept (the n of the statistics)${countedText}`,
    ],
    ["Status", manifest.status],
    ["Started", manifest.startedAt],
    ["Ended", manifest.endedAt ?? missing],
    ["Run", plan.runId],
  ];
}

function discardedText({ discardedCalls }: ReportView["plan"]["sizes"]): string {
  return discardedCalls === 0 ? "" : `, the first ${discardedCalls} of each discarded`;
}

function versionFacts({ manifest }: ReportView): readonly Fact[] {
  const versions = Object.entries(manifest.versions).map(([name, version]) => `${name} ${version}`);
  return [["Versions", versions.length === 0 ? missing : versions.join("; ")]];
}

/** Returns the environments' runtime, SDK and CPU, if they or Lambda report them. */
function originFacts({ origins }: ReportView): readonly Fact[] {
  return originGroups(origins).map((group) => [
    `${group.name.charAt(0).toUpperCase()}${group.name.slice(1)}`,
    originText(group),
  ]);
}
