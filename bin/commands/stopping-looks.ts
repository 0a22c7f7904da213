import { looksOf } from "../../lib/contract/looks.ts";
import type { Plan, StoppingLook } from "../../lib/contract/types/contract.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import type { EarlierVisits } from "../../lib/local/earlier-visits.ts";
import { type ResultStore, storedSamples } from "../../lib/protocol/result-store.ts";
import { stoppingLook } from "../../lib/protocol/stopping-rule.ts";
import { foundOf, precisionSoFar } from "../../lib/report/precision-so-far.ts";
import type { Progress } from "../progress.ts";

/** A run's stopping rule at work. */
export interface StoppingLooks {
  /** As runPlan asks it. */
  readonly afterBlock: (blocks: number) => Promise<"go-on" | "end">;
  /** The last look; undefined before the first. */
  readonly last: () => StoppingLook | undefined;
}

export interface LooksOptions {
  readonly store: ResultStore;
  readonly earlier: Pick<EarlierVisits, "begunBlocks" | "measuredMs">;
  readonly progress: Progress;
  /** Monotonic. @default performance.now */
  readonly clockMs?: () => number;
}

/**
 * Looks at what is stored, at the plan's looks, and says what is found. What an earlier execution of
 * the run decided stands: where its samples go on beyond a look, that one is not made again. The time
 * that it took counts, and the pause since does not.
 */
export function stoppingLooks(plan: Plan, options: LooksOptions): StoppingLooks {
  const { store, earlier, progress, clockMs = () => performance.now() } = options;
  const startedMs = clockMs();
  const { baselineVariant } = experimentById(plan.experiment);
  const looks = new Set(looksOf(plan.sizes.environments, plan.blocks.length));
  let last: StoppingLook | undefined;
  return {
    last: () => last,
    afterBlock: async (blocks) => {
      if (blocks < earlier.begunBlocks || !looks.has(blocks)) return "go-on";
      const found = await precisionSoFar(plan, baselineVariant, storedSamples(store));
      const minutes = (earlier.measuredMs + clockMs() - startedMs) / 60_000;
      last = stoppingLook(plan, foundOf(found), { blocks, minutes });
      progress.say(lookText(plan, last));
      return last.endedBy === undefined ? "go-on" : "end";
    },
  };
}

/** `block 7, widest ratio ±8.1 %, aim ±5 %; 3 of 20 ratios are wider; next look after block 8`. */
export function lookText({ stopping }: Plan, look: StoppingLook): string {
  const percent = (share: number) => `±${Number((100 * share).toFixed(1))} %`;
  const widest =
    look.widest === undefined ? "no ratio yet" : `widest ratio ${percent(look.widest)}`;
  const aim = stopping === undefined ? "" : `, aim ${percent(stopping.untilPrecision)}`;
  const left = `${look.wide} of ${look.ratios} ratios ${look.wide === 1 ? "is" : "are"} wider`;
  const next =
    look.nextLook === undefined
      ? `ended by ${look.endedBy}`
      : `next look after block ${look.nextLook}`;
  return `block ${look.blocks}, ${widest}${aim}; ${left}; ${next}`;
}
