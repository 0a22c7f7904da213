import { warmOperationsOf } from "../contract/operations-of.ts";
import type { Cell, Plan } from "../contract/types/contract.ts";

/**
 * Instruction counts repeat within 1 %: three environments show it, and a call a few times, for what
 * is random in a call (the seeds of hash maps).
 */
const sizes = { environments: 3, warmEnvironments: 3, warmCalls: 4, discardedCalls: 0 } as const;

/**
 * The plan with visits under callgrind after its blocks: each variant at the largest of its sizes, for
 * none is held to a share of a CPU there.
 */
export function withInstrumentedPart(plan: Plan): Plan {
  const largestMb = Math.max(...plan.cells.map((cell) => cell.memoryMb));
  const isOnce = ({ variant, memoryMb, twinOf }: Cell, index: number) =>
    memoryMb === largestMb &&
    twinOf === undefined &&
    plan.cells.findIndex((cell) => cell.variant === variant && cell.memoryMb === largestMb) ===
      index;
  const visits = plan.cells
    .filter(isOnce)
    .map(({ id, variant }) => ({ cellId: id, warmOrder: [...warmOperationsOf(plan, variant)] }));
  const blocks = Array.from({ length: sizes.environments }, (_, block) => ({
    index: plan.blocks.length + block,
    visits,
  }));
  return { ...plan, instrumented: { sizes, blocks } };
}

/** The visits under callgrind as a plan of their own; undefined where there are none. */
export function instrumentedPlan(plan: Plan): Plan | undefined {
  const { instrumented, ...timed } = plan;
  return instrumented && { ...timed, ...instrumented };
}
