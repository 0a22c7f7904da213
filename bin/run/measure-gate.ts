import type { Comparison } from "../../lib/analysis/comparisons.ts";
import { gatedComparisons, gateFinding } from "../../lib/analysis/gate.ts";
import { type GateRemedy, gateRemedy } from "../../lib/analysis/gate-remedy.ts";
import { limitFinding } from "../../lib/analysis/limits.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { count } from "../../lib/report/document/format.ts";
import { callWords, type Topic } from "../../lib/report/first-screen/topic.ts";
import { gateLines, remedyOptions, remedyText } from "../../lib/report/gate-text.ts";
import { limitCounts, limitLine } from "../../lib/report/limit-text.ts";
import {
  exitCodes,
  type FailOn,
  gateExitCode,
  gateStatus,
  gravestCode,
  limitExitCode,
} from "../exit-codes.ts";
import type { Progress } from "../progress.ts";

/** The options of the gates of `kelvin measure`. */
interface GateOptions {
  /** Absent if only the limits are checked. */
  readonly failOn?: FailOn;
  /** The command's words, from which the command that would decide the rest is made. */
  readonly args: readonly string[];
  readonly progress: Progress;
}

type GatedView = Pick<
  Summary,
  "comparisons" | "limits" | "manifest" | "margin" | "plan" | "subject"
>;

/** Judges a run's comparisons and limits, given the run's exit code. Prints the reasons and returns the exit code. */
export function measureGate(view: GatedView, code: number, options: GateOptions): number {
  if (code === exitCodes.interrupted) return code;
  const gated = options.failOn === undefined ? [] : [comparisonGate(view, code, options)];
  return gravestCode([code, ...gated, limitGate(view, options)]);
}

function comparisonGate(view: GatedView, code: number, options: GateOptions): number {
  const { failOn, args, progress } = options;
  const { comparisons, manifest, margin } = view;
  const judged = gatedComparisons(comparisons);
  const finding = gateFinding({ comparisons: judged, margin, manifests: [manifest] });
  const gated = gateExitCode(finding, failOn);
  const isPartial = gated === exitCodes.complete && code !== exitCodes.complete;
  const exitCode = isPartial ? exitCodes.notCompared : gated;
  const lines = gateLines(finding, gateStatus(exitCode), (each) => topicOf(each, view.subject));
  for (const line of lines) progress.say(line);
  const remedy = gateRemedy(finding, view.plan, [manifest]);
  if (remedy !== undefined) progress.say(remedyText(remedy, decidingCommand(args, remedy)));
  return exitCode;
}

function limitGate(view: GatedView, { failOn, progress }: GateOptions): number {
  const { limits } = view;
  if (limits === undefined) return exitCodes.complete;
  const finding = limitFinding(limits);
  for (const each of [...finding.missed, ...finding.notMeasured, ...finding.undecided]) {
    progress.say(limitLine(view, each));
  }
  progress.say(limitCounts(finding));
  return limitExitCode(finding, failOn);
}

/** Makes the question of one comparison, with the functions as the gate names them. */
function topicOf(compared: Comparison, { baselineVariant }: Summary["subject"]): Topic {
  const { cell, baselineCell, phase, operation } = compared;
  const { one, other } = comparedSides(cell, baselineCell);
  const size = `${count(cell.memoryMb)} MB`;
  return {
    subject: one,
    against: other === baselineVariant ? "the base" : other,
    call: callWords[phase],
    compared: [{ ...compared, operation, size, row: "" }],
  };
}

/** Returns the names of the two functions, or of the two architectures of one function. */
function comparedSides(cell: Cell, baselineCell: Cell) {
  return cell.variant === baselineCell.variant
    ? { one: `${cell.variant} on ${cell.architecture}`, other: baselineCell.architecture }
    : { one: cell.variant, other: baselineCell.variant };
}

/** The options that set how much is measured, and where it is stored. */
const replaced = [
  "preset",
  "cold",
  "warm",
  "until-precision",
  "max-samples",
  "max-minutes",
  "seed",
];

/** Returns the command with more environments, or its new options alone for a run that is resumed or attached to. */
export function decidingCommand(args: readonly string[], remedy: GateRemedy): string {
  const options = remedyOptions(remedy);
  const isReplaced = (word: string) =>
    [...replaced, "out"].some((name) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (args.some((word) => /^--(?:resume|attach)\b/.test(word))) return options.join(" ");
  const kept = args.filter((word, index) => {
    const before = args[index - 1] ?? "";
    return !isReplaced(word) && (!isReplaced(before) || before.includes("="));
  });
  return ["kelvin", ...kept, ...options].map(quoted).join(" ");
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
