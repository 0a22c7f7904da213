import type { Comparison } from "../../lib/analysis/comparisons.ts";
import { gateFinding } from "../../lib/analysis/gate.ts";
import { type GateRemedy, gateRemedy } from "../../lib/analysis/gate-remedy.ts";
import { limitFinding } from "../../lib/analysis/limits.ts";
import type { ReportView } from "../../lib/analysis/report-view.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import { gateText, remedyOptions, remedyText } from "../../lib/report/gate-text.ts";
import { limitCounts, limitLine } from "../../lib/report/limit-text.ts";
import { exitCodes, type FailOn, gateExitCode, gravestCode, limitExitCode } from "../exit-codes.ts";
import type { Progress } from "../progress.ts";
import type { NewRun } from "./new-run.ts";

/** What the gates of `kelvin measure` need to know. */
interface GateOptions {
  /** Absent: only the limits are asked about. */
  readonly failOn?: FailOn;
  /** The command's words, to print what would decide what is open. */
  readonly words: readonly string[];
  readonly progress: Progress;
}

type GatedView = Pick<
  ReportView,
  "comparisons" | "limits" | "manifest" | "margin" | "plan" | "subject"
>;

/** The exit code of a run that ended with another one, by what its report compares and its limits; says why. */
export async function measureGate(
  { store }: Pick<NewRun, "store">,
  code: number,
  options: GateOptions,
): Promise<number> {
  if (code === exitCodes.interrupted) return code;
  const text = (await store.readText("summary.json")) ?? "";
  const view = requireJson("summary.json", text) as GatedView;
  const gated = options.failOn === undefined ? [] : [comparisonGate(view, code, options)];
  return gravestCode([code, ...gated, limitGate(view, options)]);
}

function comparisonGate(view: GatedView, code: number, options: GateOptions): number {
  const { failOn, words, progress } = options;
  const { comparisons, manifest, margin } = view;
  const finding = gateFinding({ comparisons: comparisons.variants, margin, manifests: [manifest] });
  for (const each of finding.slower) progress.say(describeSlower(each));
  progress.say(gateText(finding));
  const remedy = gateRemedy(finding, view.plan, [manifest]);
  if (remedy !== undefined) progress.say(remedyText(remedy, decidingCommand(words, remedy)));
  const gated = gateExitCode(finding, failOn);
  const isPartial = gated === exitCodes.complete && code !== exitCodes.complete;
  return isPartial ? exitCodes.notCompared : gated;
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

function describeSlower({ cell, phase, operation, ratio, low, high }: Comparison): string {
  const times = [low, high].map((bound) => bound?.toFixed(2)).join(" to ");
  return `slower: ${cell.variant} at ${cell.memoryMb} MB, ${operation} ${phase}: ${ratio?.toFixed(2)} times the base (95 % CI ${times})`;
}

/** The options that say how much is measured, and where it goes. */
const replaced = [
  "preset",
  "cold",
  "warm",
  "until-precision",
  "max-samples",
  "max-minutes",
  "seed",
];

/** The command that was given, with more environments. A resumed run names no artefacts: the options alone are said. */
export function decidingCommand(words: readonly string[], remedy: GateRemedy): string {
  const options = remedyOptions(remedy);
  const isReplaced = (word: string) =>
    [...replaced, "out"].some((name) => word === `--${name}` || word.startsWith(`--${name}=`));
  if (words.some((word) => word.startsWith("--resume"))) return options.join(" ");
  const kept = words.filter((word, index) => {
    const before = words[index - 1] ?? "";
    return !isReplaced(word) && (!isReplaced(before) || before.includes("="));
  });
  return ["kelvin", ...kept, ...options].map(quoted).join(" ");
}

/** A word as a shell reads it back. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
