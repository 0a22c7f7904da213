import type { Comparison } from "../../analysis/comparisons.ts";
import { environmentsForFamily } from "../../analysis/family.ts";
import type { Precision, WideRatio } from "../../analysis/precision.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { StoppingReason, StoppingRule } from "../../contract/types/contract.ts";
import { lambdaCallSpacingMs } from "../../plan/trial-calls.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  list,
  makeTable,
  type Note,
  numberColumn,
  paragraph,
  remark,
  strong,
  type Text,
  textColumn,
  warning,
} from "../document/document.ts";
import { count, metricName, missing, percent, plural, ratioText } from "../document/format.ts";
import { limited } from "./columns.ts";
import { importedMethod } from "./conditions.ts";

/** How the numbers came about, and how to read a table. */
export function methodSection(view: ReportView, ownLimits: readonly Text[]): readonly Block[] {
  const { plan, margin, manifest } = view;
  return [
    heading(2, "Method"),
    paragraph(
      manifest.imported !== undefined
        ? importedMethod
        : `Every block holds one new execution environment of every cell, in an order drawn from seed ${plan.seed}, so that drift falls on all alike. In each environment: the first ${plan.coldOperation}, a second one, then the warm operations. A cold sample counts only with Init reported and a new boot id, a warm one only without Init and with the same boot id.`,
    ),
    ...spacingMethod(view).map(paragraph),
    paragraph(
      "The unit is the environment: medians are over environments, with the exact order-statistic interval of at least 95 % (6 environments needed). Ratios are ratios of those medians with a 95 % bootstrap interval that resamples blocks, 10,000 draws, seeded, at a level calibrated for the number of environments.",
    ),
    ...levelMethod(view).map(paragraph),
    ...moneyMethod(view).map(paragraph),
    ...stoppingMethod(view).map(paragraph),
    paragraph(
      `A verdict is on the variant's time against the baseline's with a margin of ${percent(margin)}: faster or slower when the whole interval lies beyond the margin and the ratio beyond the noise floor, equivalent when the whole interval lies inside the margin, inconclusive otherwise. Inconclusive is not equal: it says that this run cannot tell. "Inconclusive (differs)" is told from chance by the test below, and may lie on either side of the margin.`,
    ),
    paragraph(correctionText(view)),
    paragraph(
      `${missing} means not measured or not published; it never means 0. "Insufficient (n of needed)" means that there are too few values for the figure. n is environments, or calls in environments.`,
    ),
    heading(2, "Limits"),
    list(limits(view, ownLimits)),
  ];
}

/** Order statistics come in steps: of few environments a median's interval is wider than it had to be. */
function levelMethod({ series }: ReportView): readonly Text[] {
  const levels = new Map(
    series.flatMap(({ durationMs: { environments, confidence } }) =>
      confidence === undefined ? [] : [[environments, confidence] as const],
    ),
  );
  const told = [...levels].filter(([, level]) => level >= 0.965).sort(([a], [b]) => a - b);
  if (told.length === 0) return [];
  const texts = told.map(
    ([environments, level]) => `${percent(level, 1)} of ${count(environments)}`,
  );
  return [
    `The interval of a median goes from one environment's value to another's, and cannot reach exactly 95 %: here it is ${texts.join(", ")} environments. The intervals of ratios are of 95 % at every n: beside them those of medians look wider than they are.`,
  ];
}

function moneyMethod({ cost }: ReportView): readonly Text[] {
  if (cost.cells.every(({ priceAbsent }) => priceAbsent !== undefined)) return [];
  return [
    "Times rest on medians, and money on means: a median says how long a call takes, and a bill is the sum over all calls, the rare and long ones included. Costs, savings and break-evens are of the mean Billed Duration over environments, of which each counts once by the mean of its calls. Their 95 % CIs resample blocks too, 10,000 draws, as percentiles expanded for the number of environments (Hesterberg, The American Statistician 69, 2015). 95 % is nominal: where few environments bear much of the bill, fewer of 100 hold the truth (Kelvin's docs/coverage.md).",
  ];
}

function spacingMethod({ plan: { callSpacingMs } }: ReportView): readonly Text[] {
  if (callSpacingMs === undefined) return [];
  return [
    `Calls of one environment start at least ${callSpacingMs} ms apart${callSpacingMs > lambdaCallSpacingMs ? ", so that all lanes together stay below what the service carries, and" : ","} for Lambda allows an environment 10 requests a second: a warm call is one to an environment that has been idle for what the call before left of that time. The wait is in none of the times. A call that was throttled all the same is recorded as an error and not made again.`,
  ];
}

function limits(view: ReportView, ownLimits: readonly Text[]): readonly Text[] {
  const { manifest, simulated, published } = view;
  const everywhere: Text[] = [
    "Medians say nothing of the tail; percentiles are stated only with enough calls.",
    "Environments of one run share an hour and a place. Another day, region or version may differ.",
  ];
  const local: Text[] = [
    "Local times are no Lambda's: the processor, the network and the service behind it differ, and nothing competes for the host as on AWS.",
  ];
  const unthrottled: Text[] = ["Without a CPU quota memory sizes differ in name only."];
  const beside: Text[] = [
    "Published figures come from few samples, other versions and another day. They stand beside for orientation.",
  ];
  return [
    ...everywhere,
    ...ownLimits,
    ...(simulated ? local : []),
    ...(manifest.machine?.cpuQuota === "unthrottled" ? unthrottled : []),
    ...(published === undefined ? [] : beside),
  ];
}

/** What so many verdicts in one report are held against. */
function correctionText({ comparisons, plan }: ReportView): string {
  const { tested, primary, undone } = describeFamily(comparisons.variants);
  const test =
    plan.target === "imported"
      ? "the Mann-Whitney test of the invocations with Holm's correction"
      : "a test in which the two sides of a block change places in all comparisons at once, and the largest difference of all is what each is held against (Westfall and Young, Resampling-Based Multiple Testing, 1993; Kelvin's decision 32),";
  return `Among ${plural(tested, "comparison")} with the baseline some would be called different by chance: faster or slower must also pass ${test} at 5 %. The ${plural(primary, "primary comparison")} (Init + first Duration, second and warm Duration) must pass it among themselves; the others describe what these are made of, and must pass it among all. What does not is "not significant after correction", here ${count(undone.length)}. An experiment's own quantities against the baseline are corrected among themselves; verdicts between sizes or settings of one variant are not corrected.`;
}

/** Where verdicts were undone that so few environments could not have, however large the difference. */
export function correctionNote({ comparisons, plan }: ReportView): readonly Note[] {
  // Swaps of blocks need no more of them than an interval does.
  if (plan.target !== "imported") return [];
  const { tested, undone } = describeFamily(comparisons.variants);
  const sides = undone.map((each) => Math.min(each.environments, each.baselineEnvironments));
  const most = Math.max(0, ...sides);
  const needed = environmentsForFamily(tested);
  if (undone.length === 0 || most >= needed) return [];
  return [
    remark(
      `${plural(undone.length, "verdict")} of faster or slower ${undone.length === 1 ? "is" : "are"} inconclusive for their number alone: over ${plural(tested, "comparison")} it takes ${needed} invocations a side for any difference, however large, to be told from chance, and here are ${count(most)}. The intervals are as they would be.`,
    ),
  ];
}

/** How many comparisons the correction goes over, and those whose verdict it took. */
function describeFamily(comparisons: readonly Comparison[]) {
  const tested = comparisons.filter(({ adjustedPValue }) => adjustedPValue !== undefined);
  return {
    tested: tested.length,
    primary: tested.filter(({ descriptive }) => descriptive === undefined).length,
    undone: comparisons.filter(({ undecidedReason }) => undecidedReason === "one-of-many"),
  };
}

/** What ended a run that was to go on until its ratios are precise; nothing of any other run. */
export function precisionNote(view: ReportView): readonly Note[] {
  const { stopping } = view.plan;
  const { precision } = view;
  if (stopping === undefined || precision === undefined) return [];
  const { endedBy } = view.manifest.stopping ?? {};
  const after = `after ${plural(view.plan.sizes.environments, "block")}`;
  const found = foundText(precision, stopping);
  if (endedBy === "precision")
    return [remark([strong("Ended by its precision:"), ` ${after} ${found}`])];
  const what =
    endedBy === undefined
      ? "Not ended by its stopping rule:"
      : `Ended by ${boundText(endedBy, stopping)}, not by its precision:`;
  return [warning([strong(what), ` ${after} ${found}`])];
}

function foundText({ ratios, wide, widest }: Precision, { untilPrecision }: StoppingRule): string {
  const aim = `±${share(untilPrecision)}`;
  const most = widest?.halfWidth === undefined ? "" : ` (widest ±${share(widest.halfWidth)})`;
  if (ratios === 0) return "there is no ratio.";
  return wide.length === 0
    ? `each of ${plural(ratios, "ratio")} is known to ${aim} or better${most}.`
    : `${count(wide.length)} of ${plural(ratios, "ratio")} ${wide.length === 1 ? "is" : "are"} not known to ${aim}${most}; see Precision.`;
}

/** `its budget of 4,750 samples`. */
function boundText(
  by: Exclude<StoppingReason, "precision">,
  { maxSamples, maxMinutes, maxCostUsd }: StoppingRule,
): string {
  switch (by) {
    case "maxSamples":
      return `its budget of ${count(maxSamples)} samples (maxSamples)`;
    case "maxMinutes":
      return `its budget of ${maxMinutes} minutes (maxMinutes)`;
    case "maxCostUsd":
      return `its budget of ${maxCostUsd} USD (maxCostUsd, by the estimate)`;
    case "largestPlan":
      return "the most blocks that a plan has";
  }
}

/** Each ratio that is not as precise as it was to be. */
export function precisionSection(view: ReportView): readonly Block[] {
  const { precision } = view;
  const { stopping } = view.plan;
  if (precision === undefined || stopping === undefined || precision.wide.length === 0) return [];
  return [
    heading(2, "Precision"),
    paragraph(
      `These ratios did not reach ±${share(stopping.untilPrecision)}: half the width of the 95 % CI, as a share of the ratio. More blocks would narrow them: half as wide an interval takes about four times as many.`,
    ),
    ...limited(precision.wide, (rows) =>
      makeTable<WideRatio>(
        {
          id: "wide-ratios",
          caption: `Ratios wider than ±${share(stopping.untilPrecision)}, the widest first.`,
        },
        [
          ...cellColumns<WideRatio>(view, ({ comparison }) => comparison.cell),
          textColumn("Phase", ({ comparison }) => comparison.phase),
          textColumn("Operation", ({ comparison }) => [code(comparison.operation)]),
          textColumn("Quantity", ({ comparison }) => metricName(comparison.quantity)),
          numberColumn("Ratio", ({ comparison }) => ratioText(comparison)),
          numberColumn("Half-width", ({ halfWidth }) =>
            halfWidth === undefined ? "no interval" : `±${share(halfWidth)}`,
          ),
        ],
        rows,
      ),
    ),
  ];
}

/** How the rule looked at the data, and what that does to an interval. */
function stoppingMethod({ plan }: ReportView): readonly Text[] {
  const { stopping } = plan;
  if (stopping === undefined) return [];
  return [
    `Blocks were added until half the width of every ratio's 95 % CI was at most ${share(stopping.untilPrecision)} of the ratio, or the budget was spent (${count(stopping.maxSamples)} samples, ${stopping.maxMinutes} minutes${stopping.maxCostUsd === undefined ? "" : `, ${stopping.maxCostUsd} USD`}): no look before the preset's own blocks, then one after each tenth more. Where an interval lies played no part in it, only how wide it is: to end by significance would find differences that are not there, to end by width favours no verdict (Chow and Robbins, Annals of Mathematical Statistics 36, 1965; Kelley, Darku and Chattopadhyay, Psychological Methods 23, 2018). But it favours moments at which an interval is narrow by chance, so that somewhat fewer than 95 of 100 may hold the truth: how many is measured in Kelvin's docs/coverage.md.`,
  ];
}

function share(value: number): string {
  return percent(value, value < 0.0995 && !Number.isInteger(Math.round(value * 1e6) / 1e4) ? 1 : 0);
}
