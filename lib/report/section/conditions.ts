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
      : `, handed out to the CPUs in slices of ${bandwidthSliceMs} ms`;
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
      `${count(counts.recorded)} imported, ${count(counts.kept)} kept (the n of the statistics)`,
    ],
    ["Imported", startedAt],
    ["Run", runId],
  ];
}

function planFacts({ plan, manifest }: ReportView): readonly Fact[] {
  const { sizes } = plan;
  const { planned, recorded, kept, rejected } = manifest.counts;
  const { instrumented = 0 } = rejected;
  const beside = instrumented === 0 ? "" : `; ${count(instrumented)} only to count instructions`;
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
      `${count(planned)} planned, ${count(recorded)} recorded, ${count(kept)} kept (the n of the statistics)${beside}`,
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
  events: "events of CloudWatch Logs",
  insights: "rows of CloudWatch Logs Insights",
  "log-group": "log group of CloudWatch Logs",
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
        ` ${from} They are means computed by another tool, which did not pass on the invocations behind them. Without samples there are no intervals, no verdicts and no comparisons.`,
      ]),
    ];
  }
  return [
    warning([
      strong("Imported samples."),
      ` ${from} An invocation is cold if it reported an Init Duration (with SnapStart, a Restore Duration); no boot id verifies that. The environment of a sample is unknown, so each invocation counts as an environment of its own. Invocations of one environment resemble each other, so the intervals here are narrower, and the verdicts more confident, than the real number of environments allows.`,
    ]),
  ];
}

/** `a.log (log with Lambda's reports)`, one after the other. */
export function sourceNames({ sources }: ImportedOrigin): string {
  return sources.map(({ name, format }) => `${name} (${formats[format]})`).join(", ");
}

function sourceText({ name, format, sha256, read, taken, notTaken }: ImportedSource) {
  const reasons = Object.entries(notTaken).map(([reason, n]) => `${count(n)} ${reason}`);
  const left = reasons.length === 0 ? "none left out" : `skipped: ${reasons.join(", ")}`;
  const hash = sha256 === undefined ? "" : `, SHA-256 ${sha256.slice(0, 12)}`;
  return `${name}: ${formats[format]}${hash}; ${count(read)} read, ${count(taken)} taken; ${left}`;
}

/** In place of how a run of our own is made. */
export const importedMethod =
  "The samples are what Lambda reported for invocations that were not made for this comparison: what else differed between two sizes or variants is unknown. Nothing was planned, interleaved or forced cold. With more than 10,000 invocations, the interval of a ratio uses fewer draws than stated below, but at least 1,000.";
