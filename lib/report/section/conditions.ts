import { originGroups, originText } from "../../analysis/origins.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type {
  ImportedOrigin,
  ImportedSource,
  Machine,
  Manifest,
} from "../../contract/types/contract.ts";
import { findService } from "../../plan/trial-calls.ts";
import {
  type Block,
  heading,
  makeTable,
  type Note,
  proseColumn,
  rowHeader,
  strong,
  type Table,
  type Text,
  warning,
} from "../document/document.ts";
import { count, missing, plural } from "../document/format.ts";
import { mixedOrigins } from "./origins.ts";

/** Everything that a reader needs to run this again. */
export function conditionsSection(view: ReportView): readonly Block[] {
  return [
    heading(2, "Conditions", "Everything that is needed to run this again."),
    factTable([
      ...targetFacts(view),
      ...(importedFacts(view.manifest) ?? planFacts(view)),
      ...versionFacts(view),
      ...originFacts(view),
    ]),
    ...mixedOrigins(view),
  ];
}

/** A condition, and what it was in this run. */
export type Fact = readonly [name: string, value: Text];

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

export function machineText({ cpuModel, cpus, memoryMb, os }: Machine): string {
  return `${cpuModel}, ${plural(cpus, "CPU")}, ${count(memoryMb)} MB, ${os}`;
}

function targetFacts({ manifest, plan, simulated }: ReportView): readonly Fact[] {
  const { machine, region, target } = manifest;
  const names = {
    aws: "AWS Lambda",
    local: "this machine (simulated)",
    fake: "a fake (simulated)",
    imported: "AWS Lambda, as the sources say (imported)",
  };
  const architectures = [...new Set(plan.cells.map((cell) => cell.architecture))];
  const facts: Fact[] = [["Target", names[target]]];
  if (!simulated) facts.push(["Region", region ?? missing]);
  facts.push(["Architecture", architectures.join(", ")]);
  if (machine === undefined) return facts;
  const service = findService(plan);
  const { memoryLimit, transport, networkProfile } = machine;
  facts.push(
    ["Machine", machineText(machine)],
    ["CPU quota", quotaText(machine)],
    ["Memory limit", memoryLimit],
    ...(service === undefined ? [] : [[`Transport to ${service}`, transport ?? missing] as const]),
    ["Network profile", networkProfile ?? "none added"],
  );
  return facts;
}

function quotaText({ cpuQuota, bandwidthSliceMs }: Machine): string {
  if (cpuQuota === "unthrottled") return "none: unthrottled";
  const slice =
    bandwidthSliceMs === undefined
      ? ""
      : `, dealt out to the CPUs ${bandwidthSliceMs} ms at a time`;
  return `memory MB / 1769 of a CPU in periods of 20 ms (${cpuQuota})${slice}`;
}

/** Nothing of it was planned: what was read, instead. */
function importedFacts(manifest: ReportView["manifest"]): readonly Fact[] | undefined {
  const { imported, counts, startedAt, runId } = manifest;
  if (imported === undefined) return undefined;
  return [
    ...imported.sources.map((source): Fact => ["Source", sourceText(source)]),
    [
      "Samples",
      `${count(counts.recorded)} taken, ${count(counts.kept)} kept (n of the statistics)`,
    ],
    ["Imported", startedAt],
    ["Run", runId],
  ];
}

function planFacts({ plan, manifest }: ReportView): readonly Fact[] {
  const { sizes } = plan;
  const { planned, recorded, kept, rejected } = manifest.counts;
  const { instrumented = 0 } = rejected;
  const beside = instrumented === 0 ? "" : `; ${count(instrumented)} for their instructions alone`;
  const warm =
    sizes.warmEnvironments === 0
      ? "no warm calls"
      : `${plural(sizes.warmCalls, "warm call")} an operation in ${plural(sizes.warmEnvironments, "of them", "of them")}${discardedText(sizes)}`;
  return [
    ["Preset", plan.preset],
    ["Seed", String(plan.seed)],
    ["Per cell", `${plural(sizes.environments, "new environment")}; ${warm}`],
    ["Lanes", `${plural(plan.lanes, "cell")} measured at the same time`],
    [
      "Samples",
      `${count(planned)} planned, ${count(recorded)} recorded, ${count(kept)} kept (n of the statistics)${beside}`,
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

/** What runtime, SDK and CPU the environments had, as far as they and Lambda say it. */
function originFacts({ origins }: ReportView): readonly Fact[] {
  return originGroups(origins).map((group) => [
    `${group.name.charAt(0).toUpperCase()}${group.name.slice(1)}`,
    originText(group),
  ]);
}

const formats: Readonly<Record<ImportedSource["format"], string>> = {
  report: "log with Lambda's reports",
  insights: "CSV of CloudWatch Logs Insights",
  "power-tuning": "output of AWS Lambda Power Tuning",
};

/** What must be known of samples that others made, before a number is read. */
export function importedNote({ imported }: Pick<Manifest, "imported">): readonly Note[] {
  if (imported === undefined) return [];
  const from = `Not measured by Kelvin: read from ${sourceNames(imported)}.`;
  if (imported.averages !== undefined) {
    return [
      warning([
        strong("Imported averages."),
        ` ${from} They are another tool's means, of invocations that it did not hand on: there is no sample behind them here, so no interval, no verdict and no comparison.`,
      ]),
    ];
  }
  return [
    warning([
      strong("Imported samples."),
      ` ${from} Cold is what reported an Init Duration (or, with SnapStart, a Restore Duration), and nothing else tells it: not verifiable by a boot id. Which environment a sample is of is not known, so each invocation counts as one of its own. Invocations of one environment are alike, so that the intervals here are narrower, and the verdicts surer, than those environments allow.`,
    ]),
  ];
}

/** `a.log (log with Lambda's reports)`, one after the other. */
export function sourceNames({ sources }: ImportedOrigin): string {
  return sources.map(({ name, format }) => `${name} (${formats[format]})`).join(", ");
}

function sourceText({ name, format, sha256, read, taken, notTaken }: ImportedSource) {
  const reasons = Object.entries(notTaken).map(([reason, n]) => `${count(n)} ${reason}`);
  const left = reasons.length === 0 ? "none left out" : `not taken: ${reasons.join(", ")}`;
  const hash = sha256 === undefined ? "" : `, SHA-256 ${sha256.slice(0, 12)}`;
  return `${name}: ${formats[format]}${hash}; ${count(read)} read, ${count(taken)} taken; ${left}`;
}

/** In place of how a run of our own is made. */
export const importedMethod =
  "The samples are what Lambda reported of invocations that others made, for their own reasons and in no order of ours: what was different between two sizes or variants besides themselves is not known. Nothing was planned, interleaved or forced cold. Of more than 10,000 invocations an interval of a ratio takes fewer draws than stated below, 1,000 at least.";
