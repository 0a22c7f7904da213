import { InvalidInput } from "../contract/errors.ts";
import type { Cell } from "../contract/types/contract.ts";
import type { Architecture, Experiment, Variant } from "./experiment.ts";

/** The requested part of an experiment's matrix. */
export interface MatrixChoice {
  readonly variants: readonly string[];
  readonly memoryMb: readonly number[];
  readonly architectures: readonly Architecture[];
}

/** Lambda's smallest and largest memory size: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const memoryLimitsMb = { smallest: 128, largest: 10_240 } as const;

/**
 * Returns the cells of a choice: variant x memory x architecture, and a second deployment of the replica variant's
 * smallest cell if that variant is chosen. Throws InvalidInput.
 */
export function matrix(experiment: Experiment, choice: MatrixChoice): readonly Cell[] {
  checkChoice(experiment, choice);
  const cells = choice.architectures.flatMap((architecture) =>
    choice.memoryMb.flatMap((memoryMb) =>
      choice.variants.map((id) =>
        makeCell(experiment, findVariant(experiment, id), architecture, memoryMb),
      ),
    ),
  );
  const replica = makeReplica(experiment, choice, cells);
  return replica === undefined ? cells : [...cells, replica];
}

/** Returns whether the experiment may have cells of that size: with a pool, only sizes with a number of threads. */
export function mayHaveSize({ workersByMemoryMb }: Experiment, memoryMb: number): boolean {
  return workersByMemoryMb === undefined || memoryMb in workersByMemoryMb;
}

export function findVariant(experiment: Experiment, id: string): Variant {
  const variant = experiment.variants.find((candidate) => candidate.id === id);
  if (variant !== undefined) return variant;
  throw new InvalidInput("variants", id, experiment.variants.map((known) => known.id).join(", "));
}

function makeCell(
  { workersByMemoryMb }: Experiment,
  variant: Variant,
  architecture: Architecture,
  memoryMb: number,
): Cell {
  const id = `${variant.id}-${architecture.replace("_", "-")}-${memoryMb}`;
  const workers = workersByMemoryMb?.[memoryMb];
  return {
    id,
    variant: variant.id,
    runtime: variant.runtime,
    architecture,
    memoryMb,
    ...(workers !== undefined && { workers }),
  };
}

/** Returns whether two cells have the same memory, architecture and workers. */
export function isSameSize(one: Cell, other: Cell): boolean {
  return (
    one.memoryMb === other.memoryMb &&
    one.architecture === other.architecture &&
    one.workers === other.workers
  );
}

function makeReplica(
  experiment: Experiment,
  choice: MatrixChoice,
  cells: readonly Cell[],
): Cell | undefined {
  const smallest = Math.min(...choice.memoryMb);
  const original = cells.find(
    (cell) => cell.variant === experiment.replicaVariant && cell.memoryMb === smallest,
  );
  return original && { ...original, id: `${original.id}-replica`, replicaOf: original.id };
}

function checkChoice(experiment: Experiment, choice: MatrixChoice): void {
  checkUnique(
    "variants",
    choice.variants,
    experiment.variants.map((variant) => variant.id).join(", "),
  );
  const { workersByMemoryMb } = experiment;
  const memoryAllowed =
    workersByMemoryMb === undefined
      ? `different whole numbers from ${memoryLimitsMb.smallest} to ${memoryLimitsMb.largest}`
      : `different ones of ${Object.keys(workersByMemoryMb).join(", ")}`;
  checkUnique("memoryMb", choice.memoryMb, memoryAllowed);
  for (const memoryMb of choice.memoryMb) {
    const { smallest, largest } = memoryLimitsMb;
    const isSize = Number.isInteger(memoryMb) && memoryMb >= smallest && memoryMb <= largest;
    if (isSize && mayHaveSize(experiment, memoryMb)) continue;
    throw new InvalidInput("memoryMb", memoryMb, memoryAllowed);
  }
  checkUnique("architectures", choice.architectures, "arm64, x86_64");
  for (const architecture of choice.architectures) {
    if (architecture === "arm64" || architecture === "x86_64") continue;
    const message = `there is no architecture ${architecture}; there are arm64 and x86_64`;
    throw new InvalidInput("architectures", architecture, "arm64, x86_64", message);
  }
}

function checkUnique(field: string, values: readonly unknown[], allowed: string): void {
  if (values.length > 0 && new Set(values).size === values.length) return;
  throw new InvalidInput(field, values, allowed);
}
