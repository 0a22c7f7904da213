import { lostCalls } from "../../analysis/gate.ts";
import { predictionMachines, type Score, scoreOfKind } from "../../analysis/prediction.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { contradictions } from "../../contract/exclusion-reasons.ts";
import type { Machine, UnavailableCalls } from "../../contract/types/contract.ts";
import { findService } from "../../plan/trial-calls.ts";
import { errorFactor } from "../../prediction/held-out.ts";
import {
  type Block,
  graveWarning,
  heading,
  type Note,
  paragraph,
  plain,
  remark,
  strong,
  type Text,
  warning,
} from "../document/document.ts";
import {
  count,
  failureText,
  missing,
  number,
  percent,
  plural,
  truncate,
} from "../document/format.ts";
import { joined, joinedSizes } from "../first-screen/number-phrases.ts";
import { lostText } from "../lost-calls-text.ts";
import { busyNote, speedNote } from "./busy-machine.ts";
import { countsText } from "./groups.ts";
import {
  driftNote,
  importedNote,
  importedPlace,
  restoreNote,
  sourceNames,
  timesNote,
} from "./imported.ts";
import { correctionNote, precisionNote } from "./method.ts";
import { sizeChoiceNote } from "./size-choice.ts";

/** Returns notes to read before any number: whether the run is complete, and where it ran. */
function openingNotes(view: ReportView): readonly Note[] {
  return [
    ...busyNote(view.manifest),
    ...speedNote(view.manifest),
    ...partialNote(view),
    ...lostNote(view),
    ...contradictionNote(view),
    ...precisionNote(view),
    ...sizeChoiceNote(view),
    ...correctionNote(view),
    ...placeNotes(view),
    ...timesNote(view.manifest),
    ...driftNote(view),
    ...restoreNote(view),
  ];
}

/** Returns notes on where the run was measured. */
export function placeNotes(view: ReportView): readonly Note[] {
  return [
    ...importedNote(view.manifest),
    ...simulatedNote(view),
    ...noNetworkNote(view),
    ...unavailableNotes(view),
    ...machineNotes(view.manifest.machine),
  ];
}

/** Returns the notes of the first screen: the warnings, and what was not measured. */
export function firstNotes(view: ReportView): readonly Note[] {
  return [...openingNotes(view).filter(({ tone }) => tone === "warning"), ...leftOutNote(view)];
}

/** Describes the run itself, with the remarks that are not warnings. */
export function runSection(view: ReportView): readonly Block[] {
  const remarks = openingNotes(view).filter(({ tone }) => tone === "remark");
  const ran = inOneSentence(view);
  const [first] = remarks;
  const takeaway = first === undefined ? ran : leadOf(first.text);
  return [heading(2, "What was run", takeaway), ...remarks, paragraph(ran)];
}

/** Returns a note's bold opening, or the whole note if the opening ends with a colon. */
function leadOf(text: Text): string {
  const lead = plain(typeof text === "string" ? text : text.slice(0, 1));
  return lead.endsWith(":") ? plain(text) : lead;
}

function inOneSentence(view: ReportView): string {
  const { plan, manifest, subject } = view;
  const { machine, region, target, imported } = manifest;
  const places = {
    aws: `AWS Lambda in ${region ?? "a region not recorded"}`,
    local: machine === undefined ? "one machine" : `one machine (${machine.cpuModel})`,
    fake: "a fake target",
    imported: imported === undefined ? "" : importedPlace(imported),
  };
  const variants = new Set(plan.cells.map((cell) => cell.variant));
  const labels = subject.variants.flatMap(({ id, label }) => (variants.has(id) ? [label] : []));
  const memory = [...new Set(plan.cells.map((cell) => cell.memoryMb))].sort((a, b) => a - b);
  const measured = `${joined(labels)} at ${joinedSizes(memory.map((mb) => `${count(mb)} MB`))}`;
  const { kept, recorded } = manifest.counts;
  if (imported !== undefined) {
    const origin = `Read from ${sourceNames(imported)}: ${measured}`;
    if (imported.averages !== undefined) return `${origin}.`;
    return `${origin}; ${count(kept)} of ${count(recorded)} samples count (the rest failed; see Data quality).`;
  }
  return `Measured on ${places[target]}: ${measured}; ${plan.preset} preset, ${view.sizeChoices === undefined ? "" : "up to "}${plural(plan.sizes.environments, "new environment")} per cell; ${count(kept)} samples count, ${countsText(manifest.counts)}`;
}

function partialNote({ manifest }: ReportView): readonly Note[] {
  const { planned, recorded } = manifest.counts;
  if (manifest.status === "complete" && recorded >= planned) return [];
  const share = planned === 0 ? missing : percent(recorded / planned);
  const state = manifest.status === "complete" ? "INCOMPLETE" : "PARTIAL";
  const sizes = `${count(recorded)} of ${count(planned)} planned samples were recorded (${share})`;
  return [
    graveWarning(
      [
        strong(`This run is ${state}: ${sizes}.`),
        `${causeText(manifest)} Every table states its own n; missing samples are missing, not 0.`,
      ],
      `This run is ${state} (${share} of its samples)`,
    ),
  ];
}

/** Returns why the run is incomplete, if known: its first failed trial, or what ended it. */
function causeText({ cellFailures, endedEarly, counts }: ReportView["manifest"]): string {
  const [first] = cellFailures;
  const ended = endedEarly === undefined ? "" : ` ${truncate(endedEarly)}.`;
  if (first === undefined && ended === "" && counts.recorded < counts.planned) {
    return " The run does not say why.";
  }
  if (first === undefined) return ended;
  const failed = plural(cellFailures.length, "trial");
  const which = cellFailures.length === 1 ? "of" : "the first of";
  return `${ended} ${failed} failed, ${which} ${first.cellId}: ${failureText(first).replace(/\.$/, "")}.`;
}

/** Counts calls that no figure has before any number: a build that fails or answers wrongly is not fast. */
function lostNote({ manifest: { counts } }: ReportView): readonly Note[] {
  const { initTimeouts } = counts;
  const texts = [
    ...lostCalls(counts).map(lostText),
    ...(initTimeouts === undefined
      ? []
      : [`${plural(initTimeouts, "call")} ran Init again after it had taken too long`]),
  ].join("; ");
  if (texts === "") return [];
  return [
    graveWarning(
      [strong(`${texts}.`), " No time or ratio counts them; Data quality says which they are."],
      texts,
    ),
  ];
}

/** Warns of samples that a run with a single writer cannot contain. */
function contradictionNote({ manifest }: ReportView): readonly Note[] {
  const { rejected } = manifest.counts;
  const found = contradictions.filter((reason) => rejected[reason] !== undefined);
  if (found.length === 0) return [];
  const total = found.reduce((sum, reason) => sum + (rejected[reason] ?? 0), 0);
  return [
    graveWarning([
      strong(`${plural(total, "sample")} of this run cannot have been measured by one run.`),
      ` No statistic uses them; Data quality lists them as ${found.join(", ")}. Either more than one process wrote to the run, or its files were changed.`,
    ]),
  ];
}

function simulatedNote({ simulated, manifest, plan }: ReportView): readonly Note[] {
  if (!simulated) return [];
  const service = findService(plan);
  const differing =
    service === undefined
      ? "the processor differs"
      : `the processor, the network and the ${service} behind it differ`;
  const where = manifest.target === "local" ? "on one machine, without AWS" : "on a fake target";
  return [
    remark([
      strong(`Simulated: measured ${where}.`),
      ` Absolute times here and on AWS Lambda are not comparable: ${differing}.${manifest.target === "local" ? predictionText() : ""}`,
    ]),
  ];
}

/** Describes how accurate local runs are, compared with published figures from Lambda. */
function predictionText(): string {
  const [memory, variants] = [scoreOfKind("memory"), scoreOfKind("variants")];
  const factors = ({ meanFactor, worst }: Score) =>
    `a factor of ${number(meanFactor, 2)} (geometric mean), ${number(errorFactor(worst), 1)} at most`;
  const machines = predictionMachines.length;
  const runs = machines === 1 ? "Local runs" : `Local runs on ${machines} machines`;
  return ` ${runs} were compared with figures that others published from Lambda (Kelvin's docs/prediction.md): of ${variants.n} ratios between variants, ${variants.rightSide} had the right variant ahead, and their size was off by ${factors(variants)}; ${memory.n} ratios between memory sizes were off by ${factors(memory)}.`;
}

/** Warns that without network waits, a call is bounded only by its CPU share and by thread scheduling. */
function noNetworkNote({ manifest, plan }: ReportView): readonly Note[] {
  const service = findService(plan);
  if (manifest.target !== "local" || service === undefined || plan.network !== undefined) return [];
  return [
    warning(
      [
        strong(`There was no network between the functions and ${service}.`),
        " On Lambda a call waits for its answer, which it did not here: ratios of warm calls at small memory sizes differ from Lambda's.",
      ],
      "no network",
    ),
  ];
}

function unavailableNotes({ manifest }: ReportView): readonly Note[] {
  return (manifest.unavailableCalls ?? []).map((each) =>
    graveWarning(
      [
        strong(`${unavailableText(each)}.`),
        " Such calls were answered with an error, and the times include that.",
      ],
      unavailableText(each),
    ),
  );
}

/** Says what a function called that nothing on this machine answers; a function may handle the error. */
export function unavailableText({ variant, calls }: UnavailableCalls): string {
  return `${variant} calls ${calls.join(", ")}: not available on this machine`;
}

function leftOutNote({ plan }: ReportView): readonly Note[] {
  const { leftOut = [] } = plan;
  if (leftOut.length === 0) return [];
  return [remark([strong("Not measured:"), ` ${leftOut.join("; ")}.`])];
}

function machineNotes(machine: Machine | undefined): readonly Note[] {
  if (machine?.cpuQuota !== "unthrottled") return [];
  return [
    graveWarning(
      [
        strong("cpu: unthrottled; differences between memory sizes mean nothing here."),
        " This machine allowed no CPU quota, so every size ran at full speed.",
      ],
      "cpu: unthrottled, so differences between memory sizes mean nothing here",
    ),
  ];
}
