import type { Machine } from "../../contract/types/contract.ts";
import { paragraph, remark, strong, tableOf, textColumn, warning } from "../document/blocks.ts";
import type { Block, Text } from "../document/document.ts";
import { count, missing, percent, plural } from "../document/format-number.ts";
import type { ReportView } from "../view/report-view.ts";

/** What must be known before a number is read: whether the run is whole, and what it ran on. */
export function openingNotes(view: ReportView): readonly Block[] {
  return [...partialNote(view), ...simulatedNote(view), ...machineNotes(view.manifest.machine)];
}

export function opening(view: ReportView): readonly Block[] {
  const facts = [...targetFacts(view), ...planFacts(view), ...versionFacts(view)];
  return [
    paragraph([strong(view.subject.question)]),
    ...openingNotes(view),
    tableOf<Fact>(
      { id: "run", caption: "What was run, and on what.", rowHeaders: 1 },
      [textColumn("Condition", ([name]) => name), textColumn("This run", ([, value]) => value)],
      facts,
    ),
  ];
}

type Fact = readonly [name: string, value: Text];

function partialNote({ manifest }: ReportView): readonly Block[] {
  const { planned, recorded } = manifest.counts;
  if (manifest.status === "complete" && recorded >= planned) return [];
  const share = planned === 0 ? missing : percent(recorded / planned);
  const what = manifest.status === "complete" ? "INCOMPLETE" : "PARTIAL";
  const sizes = `${count(recorded)} of ${count(planned)} planned samples were recorded (${share})`;
  return [
    warning([
      strong(`This run is ${what}: ${sizes}.`),
      " Every table states the n it has; the missing samples are missing, and not 0.",
    ]),
  ];
}

function simulatedNote({ simulated, manifest }: ReportView): readonly Block[] {
  if (!simulated) return [];
  const where = manifest.target === "local" ? "on one machine, without AWS" : "on a fake target";
  return [
    remark([
      strong(`Simulated: measured ${where}.`),
      " Absolute times here and on AWS Lambda are not comparable: the processor, the network and the DynamoDB behind it differ. Ratios between variants are what a run like this can tell.",
    ]),
  ];
}

function machineNotes(machine: Machine | undefined): readonly Block[] {
  if (machine?.cpuQuota !== "unthrottled") return [];
  return [
    warning([
      strong("cpu: unthrottled."),
      " This machine allowed no CPU quota, so every memory size ran at full speed: differences between memory sizes mean nothing here.",
    ]),
  ];
}

function targetFacts({ manifest, plan }: ReportView): readonly Fact[] {
  const { machine, region, target } = manifest;
  const names = {
    aws: "AWS Lambda",
    local: "this machine (simulated)",
    fake: "a fake (simulated)",
  };
  const architectures = [...new Set(plan.cells.map((cell) => cell.architecture))];
  const facts: Fact[] = [["Target", names[target]]];
  if (target === "aws") facts.push(["Region", region ?? missing]);
  facts.push(["Architecture", architectures.join(", ")]);
  if (machine === undefined) return facts;
  const { os, cpuModel, cpus, memoryMb, cpuQuota, memoryLimit, transport, networkProfile } =
    machine;
  facts.push(
    ["Machine", `${cpuModel}, ${plural(cpus, "CPU")}, ${count(memoryMb)} MB, ${os}`],
    [
      "CPU quota",
      cpuQuota === "unthrottled" ? "none: unthrottled" : `memory / 1,769 (${cpuQuota})`,
    ],
    ["Memory limit", memoryLimit],
    ["Transport to DynamoDB", transport ?? missing],
    ["Network profile", networkProfile ?? "none added"],
  );
  return facts;
}

function planFacts({ plan, manifest }: ReportView): readonly Fact[] {
  const { sizes } = plan;
  const { planned, recorded, kept } = manifest.counts;
  const warm =
    sizes.warmEnvironments === 0
      ? "no warm calls"
      : `${plural(sizes.warmCalls, "warm call")} an operation in ${plural(sizes.warmEnvironments, "of them", "of them")}, the first ${sizes.discardedCalls} of each discarded`;
  return [
    ["Preset", plan.preset],
    ["Seed", String(plan.seed)],
    ["Per cell", `${plural(sizes.environments, "new environment")}; ${warm}`],
    ["Lanes", `${plural(plan.lanes, "cell")} measured at the same time`],
    [
      "Samples",
      `${count(planned)} planned, ${count(recorded)} recorded, ${count(kept)} kept (n of the statistics)`,
    ],
    ["Status", manifest.status],
    ["Started", manifest.startedAt],
    ["Ended", manifest.endedAt ?? missing],
    ["Run", plan.runId],
  ];
}

function versionFacts({ manifest }: ReportView): readonly Fact[] {
  const versions = Object.entries(manifest.versions).map(([name, version]) => `${name} ${version}`);
  return [["Versions", versions.length === 0 ? missing : versions.join("; ")]];
}
