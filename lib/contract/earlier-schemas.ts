import { isObject } from "./lines.ts";

/**
 * Returns a stored plan as the current schema has it. Version 1 called a block's trials `visits`, and the cell
 * that a replica is a second deployment of `twinOf`.
 */
export function currentPlan(plan: unknown): unknown {
  if (!isObject(plan) || plan.schemaVersion !== 1) return plan;
  const { instrumented } = plan;
  return {
    ...plan,
    schemaVersion: 2,
    cells: inEach(plan.cells, currentCell),
    blocks: inEach(plan.blocks, currentBlock),
    ...(isObject(instrumented) && {
      instrumented: { ...instrumented, blocks: inEach(instrumented.blocks, currentBlock) },
    }),
  };
}

/** Returns a stored sample as the current schema has it: earlier ones have the cell of a plan of version 1. */
export function currentSample(sample: unknown): unknown {
  if (!isObject(sample) || !isObject(sample.cell) || !("twinOf" in sample.cell)) return sample;
  return { ...sample, cell: currentCell(sample.cell) };
}

function currentCell(cell: unknown): unknown {
  return renamed(cell, "twinOf", "replicaOf");
}

function currentBlock(block: unknown): unknown {
  return renamed(block, "visits", "trials");
}

/** Returns the object with one field renamed, at its place among the others. */
function renamed(value: unknown, earlier: string, current: string): unknown {
  if (!isObject(value) || !(earlier in value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, field]) => [name === earlier ? current : name, field]),
  );
}

function inEach(list: unknown, change: (value: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(change) : list;
}
