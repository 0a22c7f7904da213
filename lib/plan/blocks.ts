import type { Plan } from "../contract/types/contract.ts";

/** Returns the plan with only its first blocks, and their sizes. A plan with no more blocks is returned unchanged. */
export function firstBlocks(plan: Plan, count: number): Plan {
  if (count >= plan.blocks.length && plan.sizes.environments === plan.blocks.length) return plan;
  const blocks = plan.blocks.slice(0, count);
  const isWarm = ({ trials }: Plan["blocks"][number]) =>
    trials.some(({ warmOrder }) => warmOrder.length > 0);
  const warmEnvironments = blocks.filter(isWarm).length;
  return {
    ...plan,
    blocks,
    sizes: { ...plan.sizes, environments: blocks.length, warmEnvironments },
  };
}

/** Removes the limit in minutes: if calls are faster than expected, more blocks fit into it and cost more. */
export function untimed(plan: Plan): Plan {
  const { stopping } = plan;
  if (stopping === undefined) return plan;
  return { ...plan, stopping: { ...stopping, maxMinutes: Number.POSITIVE_INFINITY } };
}

/** Returns the part of the plan that a run always measures: all of it unless there is a stopping rule. */
export function smallestPlan(plan: Plan): Plan {
  return plan.stopping === undefined ? plan : firstBlocks(plan, plan.sizes.environments);
}

/**
 * Returns the next look at the samples of a run with a stopping rule: a tenth more blocks each time, so that a run of
 * many blocks neither reads its samples a thousand times nor measures much more than it needs. A run that chooses
 * sizes waits for a third more, because each look spends part of its error rate.
 */
function nextLook(blocks: number, part: number = usualPart): number {
  return blocks + Math.max(1, Math.floor(blocks / part));
}

const usualPart = 10;
export const partOfSizeChoice = 3;

/** Lists every look that a run may make, as the number of blocks before it; the last is at `most`. */
export function listLooks(
  least: number,
  most: number,
  part: number = usualPart,
): readonly number[] {
  const looks: number[] = [];
  for (let look = least; look < most; look = nextLook(look, part)) looks.push(look);
  return [...looks, most];
}

/** Lists the looks of a plan with a stopping rule. */
export function looksOfPlan(plan: Plan): readonly number[] {
  const looks: number[] = [];
  let look: number | undefined = plan.sizes.environments;
  while (look !== undefined) {
    looks.push(look);
    look = lookAfter(plan, look);
  }
  return looks;
}

/** Returns the next look of the plan after so many blocks; undefined after the last. */
export function lookAfter(plan: Plan, blocks: number): number | undefined {
  const most = plan.blocks.length;
  if (blocks >= most) return undefined;
  const forLimits = looksForLimits(plan).filter((look) => look > blocks);
  const part = plan.stopping?.sizeChoice === undefined ? usualPart : partOfSizeChoice;
  return Math.min(most, nextLook(blocks, part), ...forLimits);
}

/** Number of cold starts of which the longest lies above P95 or P99 with 95% confidence. */
export const environmentsOfBound = { p95: 59, p99: 299 } as const;

/** Returns the looks at which a run that chooses sizes has enough cold starts for its limits on P95 and P99. */
function looksForLimits({ stopping }: Pick<Plan, "stopping">) {
  const { limits = [] } = stopping?.sizeChoice ?? {};
  return limits.flatMap(({ quantity, statistic }) =>
    quantity !== "warm" && (statistic === "p95" || statistic === "p99")
      ? [environmentsOfBound[statistic]]
      : [],
  );
}

/** Returns whether a trial of the plan is skipped. */
export type Skips = (cellId: string, block: number) => boolean;

export function withoutSkipped(plan: Plan, skips: Skips): Plan {
  const blocks = plan.blocks.map(({ index, trials }) => ({
    index,
    trials: trials.filter(({ cellId }) => !skips(cellId, index)),
  }));
  return { ...plan, blocks };
}

/**
 * A trial's samples are stored in S3 in parts, since objects cannot be appended to. A part is written when it has
 * this many samples, or after this long; a driver that dies loses no more than that. The cold sample, the most
 * expensive one, is written at once, and again with the rest of its part.
 */
export const samplesPerPart = 20;
export const msPerPart = 5_000;

/** Returns the maximum number of parts of a trial whose calls take this long. */
export function partCount(samples: number, calledMs: number): number {
  const byTime = Math.floor(calledMs / msPerPart);
  return Math.min(samples, Math.ceil(samples / samplesPerPart) + byTime);
}
