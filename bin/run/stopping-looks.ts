import { describeFound, precisionSoFar } from "../../lib/analysis/precision.ts";
import { type SizeChoices, sizeChoicesSoFar, skipsOf } from "../../lib/analysis/size-choice.ts";
import type { Plan, StoppingLook } from "../../lib/contract/types/contract.ts";
import type { EarlierTrials } from "../../lib/local/disk-result-store.ts";
import { looksOfPlan, type Skips } from "../../lib/plan/blocks.ts";
import type { Experiment } from "../../lib/plan/experiment.ts";
import { plural, shareText } from "../../lib/report/document/format.ts";
import { boundText } from "../../lib/report/section/method.ts";
import { decidedText, exitText, leavings } from "../../lib/report/section/size-choice.ts";
import { type ResultStore, storedSamples } from "../../lib/sampler/result-store.ts";
import { stoppingLook } from "../../lib/sampler/stopping-rule.ts";
import type { Progress } from "../progress.ts";

/** A run's stopping rule in use. */
interface StoppingLooks {
  /** Callback of runPlan after each block. */
  readonly afterBlock: (blocks: number) => Promise<"go-on" | "end">;
  /** Skips trials of sizes that were dropped. */
  readonly skips: Skips;
  /** The last look; undefined before the first. */
  readonly last: () => StoppingLook | undefined;
}

interface LooksOptions {
  readonly experiment: Pick<Experiment, "baselineVariant">;
  readonly store: ResultStore;
  readonly earlier: Pick<EarlierTrials, "begunBlocks" | "measuredMs">;
  readonly progress: Progress;
  /** Monotonic clock, ms. @default performance.now */
  readonly clockMs?: () => number;
}

/**
 * Evaluates the stored samples at the plan's looks, and prints the result. Decisions of an earlier execution of the
 * run stand: looks that its samples have passed are not repeated, and the sizes that it dropped are derived from the
 * same samples. Its measuring time counts; the pause since does not.
 */
export function stoppingLooks(plan: Plan, options: LooksOptions): StoppingLooks {
  const { experiment, store, earlier, progress, clockMs = () => performance.now() } = options;
  const startedMs = clockMs();
  const { baselineVariant } = experiment;
  const looks = new Set(looksOfPlan(plan));
  let last: StoppingLook | undefined;
  let choices: SizeChoices | undefined;
  return {
    last: () => last,
    skips: (cellId, block) => choices !== undefined && skipsOf(choices)(cellId, block),
    afterBlock: async (blocks) => {
      if (!looks.has(blocks)) return "go-on";
      const before = choices;
      choices = await sizeChoicesSoFar(plan, storedSamples(store), blocks);
      if (blocks < earlier.begunBlocks) return "go-on";
      const minutes = (earlier.measuredMs + clockMs() - startedMs) / 60_000;
      if (choices === undefined) {
        const found = await precisionSoFar(plan, baselineVariant, storedSamples(store));
        last = stoppingLook(plan, describeFound(found), { blocks, minutes });
        progress.say(lookText(plan, last));
      } else {
        const { kept } = choices;
        const found = { ratios: choices.choices + kept, wide: choices.undecided + kept };
        last = stoppingLook(plan, found, { blocks, minutes, skips: skipsOf(choices) });
        progress.say(sizeLookText(plan, last, kept));
        if (last.endedBy === undefined) {
          for (const exit of leavings(plan, choices, before)) progress.say(exitText(exit));
        }
      }
      return last.endedBy === undefined ? "go-on" : "end";
    },
  };
}

/**
 * Returns what a look at the sizes found: `8 environments per size: none of 3 picks is decided yet; next check at 10`.
 * @param kept the number of sizes that are measured only because their limits are not judged yet.
 */
function sizeLookText(plan: Plan, look: StoppingLook, kept: number): string {
  const choices = look.ratios - kept;
  const decided = decidedText(choices, look.wide - kept);
  const yet = look.endedBy === undefined && look.wide - kept === choices ? " yet" : "";
  const forLimits =
    kept === 0 ? "" : `; ${plural(kept, "size is", "sizes are")} measured further for a limit`;
  return `${plural(look.blocks, "environment")} per size: ${decided}${yet}${forLimits}${nextText(plan, look)}`;
}

/** Returns `7 environments each: 3 of 20 ratios are less precise than ±5% (widest ±8.1%); next check at 8`. */
export function lookText(plan: Plan, look: StoppingLook): string {
  const { blocks, ratios, wide, widest } = look;
  const aim = plan.stopping === undefined ? "asked" : `±${shareText(plan.stopping.untilPrecision)}`;
  const most = widest === undefined ? "" : ` (widest ±${Number((100 * widest).toFixed(1))}%)`;
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
