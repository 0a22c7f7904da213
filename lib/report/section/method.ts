import { lambdaCallSpacingMs } from "../../contract/call-spacing.ts";
import { heading, list, paragraph } from "../document/blocks.ts";
import type { Block, Text } from "../document/document.ts";
import { missing, percent } from "../document/format-number.ts";
import type { ReportView } from "../view/report-view.ts";
import { correctionText } from "./correction.ts";
import { importedMethod } from "./imported.ts";
import { stoppingMethod } from "./precision.ts";

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
    ...stoppingMethod(view).map(paragraph),
    paragraph(
      `A verdict is on the variant's time against the baseline's with a margin of ${percent(margin)}: faster or slower when the whole interval lies beyond the margin and the ratio beyond the noise floor, equivalent when the whole interval lies inside the margin, undecided otherwise. Undecided is not equal: it says that this run cannot tell. "Undecided (differs)" is told from chance by the test below, and may lie on either side of the margin.`,
    ),
    paragraph(correctionText(view)),
    paragraph(
      `${missing} means not measured or not published; it never means 0. "Insufficient (n of needed)" means that there are too few values for the figure. n is environments, or calls in environments.`,
    ),
    heading(2, "Limits"),
    list(limits(view, ownLimits)),
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
