import type { Plan } from "./types/contract.ts";

/** The plan of its first blocks alone; the sizes are theirs. A plan of no more blocks is itself. */
export function firstBlocks(plan: Plan, count: number): Plan {
  if (count >= plan.blocks.length && plan.sizes.environments === plan.blocks.length) return plan;
  const blocks = plan.blocks.slice(0, count);
  const isWarm = ({ visits }: Plan["blocks"][number]) =>
    visits.some(({ warmOrder }) => warmOrder.length > 0);
  const warmEnvironments = blocks.filter(isWarm).length;
  return {
    ...plan,
    blocks,
    sizes: { ...plan.sizes, environments: blocks.length, warmEnvironments },
  };
}

/** What a run of the plan measures in any case: without a stopping rule all of it. */
export function leastOf(plan: Plan): Plan {
  return plan.stopping === undefined ? plan : firstBlocks(plan, plan.sizes.environments);
}
