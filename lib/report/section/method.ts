import type { Comparison } from "../../analysis/comparisons.ts";
import { environmentsForFamily, familyErrorRate } from "../../analysis/family.ts";
import type { Precision, WideRatio } from "../../analysis/precision.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { StoppingReason, StoppingRule } from "../../contract/types/contract.ts";
import { idleSpreadMs, lambdaCallSpacingMs, mostAlive } from "../../plan/trial-calls.ts";
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
import {
  count,
  metricName,
  missing,
  percent,
  plural,
  ratioText,
  shareText,
} from "../document/format.ts";
import { identityWord } from "./cold.ts";
import { limited } from "./columns.ts";
import { importedMethod } from "./imported.ts";

/** Explains the method behind the numbers, and the limits of the conclusions. */
export function methodSection(view: ReportView, ownLimits: readonly Text[]): readonly Block[] {
  const { plan, margin, manifest } = view;
  return [
    heading(2, "Method", "How samples become means, intervals and verdicts."),
    paragraph(
      manifest.imported !== undefined
        ? importedMethod
        : `Every block holds one new execution environment of every cell, in a random order (seed ${plan.seed}), so that drift affects all cells alike. In each environment: the first ${plan.coldOperation}, a second one, then the warm operations. A cold sample counts only if Init was reported and the ${identityWord(plan)} is new, a warm one only if there was no Init and the ${identityWord(plan)} is the same.`,
    ),
    ...spacingMethod(view).map(paragraph),
    paragraph(
      `The unit is the environment: a mean is over ${manifest.imported === undefined ? "environments, each by the mean of its calls" : "all calls"}, and its 95% CI is taken from the means of subsets of the blocks (Hartigan, JASA 64, 1969; 6 environments needed). Ratios are ratios of those means, with a 95% CI from the same subsets: all subsets of up to 12 blocks; 10,000 subsets, drawn by the seed, of more blocks. Medians are over the environments' medians, with ${manifest.imported === undefined ? "the exact order-statistic interval of at least 95%" : "an interval between order statistics"}. Means are compared because their sum is what all callers wait for and what is billed; if the ratio of medians differs from that of means by a factor of 1.25 or more, the sentence gives both. Where at most 3 calls (and 1% of a side) make a difference, it is undecided, and the calls are named.`,
    ),
    ...levelMethod(view).map(paragraph),
    ...moneyMethod(view).map(paragraph),
    ...stoppingMethod(view).map(paragraph),
    ...sizeChoiceMethod(view).map(paragraph),
    paragraph(
      `A verdict compares the variant's time with the baseline's, with a margin of ${shareText(margin)}: faster or slower if the whole interval lies beyond the margin and, on AWS, the ratio beyond the noise floor of two deployments of one function; the same if the whole interval lies inside the margin; undecided otherwise. Undecided does not mean equal: it means that this run cannot tell. "Undecided (differs)" is a significant difference by the test below that may lie on either side of the margin.`,
    ),
    paragraph(correctionText(view)),
    paragraph(
      `${missing} means not measured or not published; it never means 0. "Insufficient (n of needed)" means too few values for that figure. n counts environments, or calls in environments.`,
    ),
    heading(2, "Limits", "What this run cannot tell."),
    list(limits(view, ownLimits)),
  ];
}

/** Explains that order statistics are discrete: with few environments, a median's interval exceeds 95%. */
function levelMethod({ series }: ReportView): readonly Text[] {
  const levels = new Map(
    series.flatMap(({ durationMs: { environments, medianInterval } }) =>
      medianInterval === undefined ? [] : [[environments, medianInterval.confidence] as const],
    ),
  );
  const wider = [...levels].filter(([, level]) => level >= 0.965).sort(([a], [b]) => a - b);
  if (wider.length === 0) return [];
  const texts = wider.map(
    ([environments, level]) => `${percent(level, 1)} of ${count(environments)}`,
  );
  return [
    `The interval of a median runs from one environment's value to another's, so its level cannot be exactly 95%: here it is ${texts.join(", ")} environments. The intervals of means and ratios have a level of 95% at every n, so those of medians look wide beside them.`,
  ];
}

function moneyMethod({ cost }: ReportView): readonly Text[] {
  if (cost.cells.every(({ priceAbsent }) => priceAbsent !== undefined)) return [];
  return [
    `Costs, savings and break-evens use the mean Billed Duration, with the intervals of means. Where a few environments carry much of the bill, those hold the true mean less often than in 95 of 100 runs (Kelvin's docs/coverage.md).`,
  ];
}

/** Says why a function that listens on a port is measured with one environment at a time. */
export function listeningText(variant: string): string {
  return `${variant} listens on a port: one environment exists at a time, because all share one network here`;
}

/** Says what happens while an environment is idle. */
function meanwhileText({ listening = [] }: ReportView["manifest"]): string {
  return listening.length > 0
    ? `Meanwhile nothing is called: ${listening.map(listeningText).join("; ")}. On Lambda each has its own.`
    : `Meanwhile other environments of the block are called, up to ${mostAlive} in turn: one function runs at a time, and an environment may wait longer for its turn.`;
}

function spacingMethod({ plan, manifest }: ReportView): readonly Text[] {
  const { callSpacingMs, operationSpacingMs = {}, idleMs } = plan;
  if (idleMs !== undefined) {
    return [
      `Before each call but its first, an environment is idle for ${idleMs} to ${idleMs + idleSpreadMs} ms, at random. On Lambda, too, time passes between two calls: the CPU quota is whole again, the call begins anywhere in a period of the quota, and the processor's caches no longer hold all of the function. ${meanwhileText(manifest)} No time includes the wait.`,
    ];
  }
  if (callSpacingMs === undefined) return [];
  const further = Object.entries(operationSpacingMs).map(
    ([operation, spacingMs]) => `${spacingMs} ms before ${operation}`,
  );
  const others =
    further.length === 0
      ? ""
      : ` (${further.join(", ")}, so that all lanes together stay within the service's limits)`;
  const isLonger = callSpacingMs > lambdaCallSpacingMs;
  return [
    `Calls of one environment start at least ${callSpacingMs} ms apart${others}${isLonger ? ", so that all lanes together stay within the service's limits, and" : ","} because Lambda allows an environment 10 requests a second: before a warm call, the environment has been idle for the rest of that time. No time includes the wait. A call that was throttled nevertheless is recorded as an error and not repeated.`,
  ];
}

function limits(view: ReportView, ownLimits: readonly Text[]): readonly Text[] {
  const { manifest, simulated, published } = view;
  const everywhere: Text[] = [
    "A mean says nothing about the longest calls; percentiles are stated only with enough calls.",
    "All environments of a run share a time and a place. Another day, region or version may differ.",
  ];
  const local: Text[] = [
    "Local times are not Lambda's: the processor, the network and the service behind it differ, and nothing competes for the host as it does on AWS.",
  ];
  const unthrottled: Text[] = ["Without a CPU quota, memory sizes differ in name only."];
  const notes: Text[] = [
    "Published figures come from few samples, other versions and another day. They are shown for orientation.",
  ];
  return [
    ...everywhere,
    ...ownLimits,
    ...(simulated ? local : []),
    ...(manifest.machine?.cpuQuota === "unthrottled" ? unthrottled : []),
    ...(published === undefined ? [] : notes),
  ];
}

/** Explains the correction for the number of verdicts in one report. */
function correctionText({ comparisons, plan }: ReportView): string {
  const family = [...comparisons.variants, ...(comparisons.factors ?? [])];
  const { tested, primary, undone } = describeFamily(family);
  const test =
    plan.target === "imported"
      ? "the Mann-Whitney test of the environments with Holm's correction"
      : "a permutation test that swaps the two sides of a block in all comparisons at once and compares each difference with the largest of all (Westfall and Young, Resampling-Based Multiple Testing, 1993; Kelvin's decision 32)";
  return `Among ${plural(tested, "comparison")} with the baseline, some would differ by chance, so faster or slower must also pass ${test} at ${shareText(plan.verdicts?.errorRate ?? familyErrorRate)}. The ${plural(primary, "primary comparison")} (Init and first Duration together, second and warm Duration) form one family; the others, which break these down, are corrected among all comparisons. Those that do not pass are "not significant after correction", here ${count(undone.length)}. An experiment's own quantities against the baseline form a family of their own; verdicts between sizes or settings of one variant are not corrected.`;
}

/** Remarks if, with so few environments, even the largest difference could not be significant. */
export function correctionNote({ comparisons, plan }: ReportView): readonly Note[] {
  // A permutation of blocks needs no more blocks than an interval does.
  if (plan.target !== "imported") return [];
  const { tested, undone } = describeFamily(comparisons.variants);
  const sides = undone.map((each) => Math.min(each.environments, each.baselineEnvironments));
  const most = Math.max(0, ...sides);
  const needed = environmentsForFamily(tested);
  if (undone.length === 0 || most >= needed) return [];
  return [
    remark(
      `${plural(undone.length, "verdict")} of faster or slower ${undone.length === 1 ? "is" : "are"} undecided only because of the number of comparisons: with ${plural(tested, "comparison")}, no difference, however large, can be significant with fewer than ${needed} environments per side, and here there are ${count(most)}. The intervals are unaffected.`,
    ),
  ];
}

/** Returns the number of comparisons corrected for, and those whose verdict the correction removed. */
function describeFamily(comparisons: readonly Comparison[]) {
  const tested = comparisons.filter(({ adjustedPValue }) => adjustedPValue !== undefined);
  return {
    tested: tested.length,
    primary: tested.filter(({ descriptive }) => descriptive === undefined).length,
    undone: comparisons.filter(({ undecidedReason }) => undecidedReason === "one-of-many"),
  };
}

/** Says why a run with a precision target ended; empty for other runs. */
export function precisionNote(view: ReportView): readonly Note[] {
  const { stopping } = view.plan;
  const { precision } = view;
  if (stopping === undefined || precision === undefined) return [];
  const { endedBy } = view.manifest.stopping ?? {};
  const after = `after ${plural(view.plan.sizes.environments, "environment")} each,`;
  const found = foundText(precision, stopping);
  if (endedBy === "precision") return [remark([strong("Precise enough:"), ` ${after} ${found}`])];
  const where = endedBy === undefined ? "" : ` at ${boundText(endedBy, stopping)},`;
  const ending = `${where} before it was precise`;
  return [warning([strong(`Stopped${ending}:`), ` ${after} ${found}`], `stopped${ending}`)];
}

function foundText({ ratios, wide, widest }: Precision, { untilPrecision }: StoppingRule): string {
  const aim = `±${shareText(untilPrecision)}`;
  const most =
    widest?.halfWidth === undefined ? "" : ` (widest ±${halfWidthText(widest.halfWidth)})`;
  if (ratios === 0) return "there is no ratio.";
  return wide.length === 0
    ? `${ratios === 1 ? "the ratio is" : `all ${count(ratios)} ratios are`} known to ${aim} or better${most}.`
    : `${count(wide.length)} of ${plural(ratios, "ratio")} ${wide.length === 1 ? "is" : "are"} not known to ${aim}${most}; see Precision.`;
}

/** Returns `the sample limit (4,750)`. */
export function boundText(
  by: Exclude<StoppingReason, "precision">,
  { maxSamples, maxMinutes, maxCostUsd }: StoppingRule,
): string {
  switch (by) {
    case "maxSamples":
      return `the sample limit (${count(maxSamples)})`;
    case "maxMinutes":
      return `the time limit (${plural(maxMinutes, "minute")})`;
    case "maxCostUsd":
      return `the cost limit ($${maxCostUsd})`;
    case "largestPlan":
      return "the longest plan that is allowed";
  }
}

/** Lists each ratio that missed the precision target. */
export function precisionSection(view: ReportView): readonly Block[] {
  const { precision } = view;
  const { stopping } = view.plan;
  if (precision === undefined || stopping === undefined || precision.wide.length === 0) return [];
  return [
    heading(2, "Precision", "Ratios that are less precise than requested."),
    paragraph(
      `These ratios did not reach ±${shareText(stopping.untilPrecision)} (half the width of the 95% CI as a share of the ratio). More blocks would narrow them: halving an interval takes about four times as many.`,
    ),
    ...limited(precision.wide, (rows) =>
      makeTable<WideRatio>(
        {
          id: "wide-ratios",
          caption: `Ratios wider than ±${shareText(stopping.untilPrecision)}, the widest first${view.comparisons.variants.length > 0 ? "" : `: ${ratiosOfSizes}`}.`,
        },
        [
          ...cellColumns<WideRatio>(view, ({ comparison }) => comparison.cell),
          textColumn("Phase", ({ comparison }) => comparison.phase),
          textColumn("Operation", ({ comparison }) => [code(comparison.operation)]),
          textColumn("Quantity", ({ comparison }) => metricName(comparison.quantity)),
          numberColumn("Ratio", ({ comparison }) => ratioText(comparison)),
          numberColumn("Half-width", ({ halfWidth }) =>
            halfWidth === undefined ? "no interval" : `±${halfWidthText(halfWidth)}`,
          ),
        ],
        rows,
      ),
    ),
  ];
}

const ratiosOfSizes = "cold starts and warm calls of each size over the next smaller one";

/** Explains when the stopping rule looks at the data, and how that affects the intervals. */
function stoppingMethod({ plan, comparisons }: ReportView): readonly Text[] {
  const { stopping } = plan;
  if (stopping === undefined || stopping.sizeChoice !== undefined) return [];
  const ofSizes = comparisons.variants.length > 0 ? "" : ` (${ratiosOfSizes})`;
  return [
    `Blocks were added until half the width of every ratio's 95% CI${ofSizes} was at most ${shareText(stopping.untilPrecision)} of the ratio, or the budget was spent (${count(stopping.maxSamples)} samples, ${plural(stopping.maxMinutes, "minute")}${stopping.maxCostUsd === undefined ? "" : `, $${stopping.maxCostUsd}`}); the rule was first checked after the preset's own blocks, then after every further tenth. Only the width of the intervals mattered, not where they lie: stopping on significance would find differences that are not there, while stopping on width favours no verdict (Chow and Robbins, Annals of Mathematical Statistics 36, 1965; Kelley, Darku and Chattopadhyay, Psychological Methods 23, 2018). But it favours moments at which an interval is narrow by chance, so somewhat fewer than 95 of 100 intervals may contain the true value; Kelvin's docs/coverage.md measures how many.`,
  ];
}

/** Explains how a run chooses sizes. */
function sizeChoiceMethod({ sizeChoices, plan }: ReportView): readonly Text[] {
  const { stopping } = plan;
  if (sizeChoices === undefined || stopping === undefined) return [];
  const { tolerance, coldShare } = sizeChoices;
  return [
    `Sizes were chosen while measuring, with costs at ${shareText(coldShare)} cold: after some of the blocks, sizes were compared by the blocks that both have, with Student's t intervals of the ratio (of mean costs, of mean warm Durations, and of the geometric mean of the two). A size is out if another is better by the whole interval, or if a smaller one is worse by less than ${shareText(tolerance)} by the whole interval; it is measured until it is out of all three comparisons or they are decided. Each choice is wrong (further than ${shareText(tolerance)} from the best size) in at most 5% of runs: the intervals are corrected for the number of sizes and looks (Kelvin's docs/choosing-memory.md measures how often). Other intervals in this report are not corrected for the looks. Without the rule, the run would have ended after ${count(stopping.maxSamples)} samples or ${plural(stopping.maxMinutes, "minute")}.`,
  ];
}

/** Returns the half-width of an interval with two digits. */
function halfWidthText(value: number): string {
  return percent(value, value < 0.0995 && !Number.isInteger(Math.round(value * 1e6) / 1e4) ? 1 : 0);
}
