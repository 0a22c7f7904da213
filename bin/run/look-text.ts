import type { Plan, StoppingLook } from "../../lib/contract/types/contract.ts";
import { plural } from "../../lib/report/document/format.ts";
import { boundText } from "../../lib/report/section/method.ts";
import { decidedText } from "../../lib/report/section/size-choice.ts";

/**
 * Returns what a look at the sizes found: `8 environments per size: none of 3 picks is decided yet; next check at 10`.
 * @param kept the number of sizes that are measured only because their limits are not judged yet.
 */
export function sizeLookText(plan: Plan, look: StoppingLook, kept: number): string {
  const choices = look.ratios - kept;
  const decided = decidedText(choices, look.wide - kept);
  const yet = look.endedBy === undefined && look.wide - kept === choices ? " yet" : "";
  const forLimits =
    kept === 0 ? "" : `; ${plural(kept, "size is", "sizes are")} measured further for a limit`;
  return `${plural(look.blocks, "environment")} per size: ${decided}${yet}${forLimits}${nextText(plan, look)}`;
}

/** Returns `7 environments each: 3 of 20 ratios are less precise than ±5% (widest ±8.1%); next check at 8`. */
export function lookText(plan: Plan, look: StoppingLook): string {
  const percent = (share: number) => `±${Number((100 * share).toFixed(1))}%`;
  const { blocks, ratios, wide, widest } = look;
  const aim = plan.stopping === undefined ? "asked" : percent(plan.stopping.untilPrecision);
  const most = widest === undefined ? "" : ` (widest ${percent(widest)})`;
  const are = wide === 1 ? "is" : "are";
  const found =
    ratios === 0
      ? "no ratio yet"
      : wide === 0
        ? `${ratios === 1 ? "the ratio is" : `all ${ratios} ratios are`} as precise as ${aim}${most}`
        : `${wide} of ${plural(ratios, "ratio")} ${are} less precise than ${aim}${most}`;
  return `${plural(blocks, "environment")} each: ${found}${nextText(plan, look)}`;
}

/** Returns when the next look is, or why there is none; empty if everything is decided. */
function nextText({ stopping }: Plan, { nextLook, endedBy }: StoppingLook): string {
  if (nextLook !== undefined) return `; next check at ${nextLook}`;
  if (endedBy === undefined || endedBy === "precision" || stopping === undefined) return "";
  return `; stopped at ${boundText(endedBy, stopping)}`;
}
