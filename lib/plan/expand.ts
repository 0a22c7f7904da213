import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import planSchema from "../contract/schemas/plan.schema.json" with { type: "json" };
import { largestSeed, SeededRandom } from "../contract/seeded-order.ts";
import type { Block, Cell, Plan, PlanSizes } from "../contract/types/contract.ts";
import type { ExperimentProtocol, Preset } from "./experiment.ts";
import { countSamples, type StoppingChoice, withStoppingRule } from "./stopping.ts";
import {
  type CallSpacing,
  chooseCallSpacing,
  heaviestWrite,
  listWarmOperations,
} from "./trial-calls.ts";

/** The options of a run, except its cells. */
export interface RunChoice {
  readonly runId: string;
  readonly target: Plan["target"];
  readonly createdAt: string;
  readonly seed: number;
  readonly preset: Preset;
  /** New execution environments per cell. Default: the preset's. */
  readonly cold?: number;
  /** Warm calls of one series over all its environments. Default: the preset's. */
  readonly warm?: number;
  readonly lanes: number;
  /** Absent: the run ends after its planned sizes. */
  readonly stopping?: StoppingChoice;
}

/** Most cells that a report can render; checked before anything is measured. */
const mostCells = planSchema.properties.cells.maxItems;

const largestSizes = { cold: 1000, warm: 100_000 } as const;

/** Expands the experiment into a plan. Pure: the same choice gives the same plan. Throws InvalidInput. */
export function expand(
  experiment: ExperimentProtocol,
  cells: readonly Cell[],
  choice: RunChoice,
): Plan {
  if (cells.length > mostCells) {
    throw new InvalidInput("cells", cells.length, `at most ${mostCells}: fewer sizes or variants`);
  }
  const { sizes, warnings } = planSizes(experiment, choice);
  const { seed, stopping } = choice;
  const isOnAws = choice.target === "aws";
  const protocol = planProtocol(experiment, cells);
  const staggered = isOnAws ? heaviestWrite(protocol.warmOperations, protocol.requests) : undefined;
  const blocks = (count: number) =>
    makeBlocks(experiment, cells, sizes, { seed, count, staggered });
  const lanes = Math.min(choice.lanes, cells.length);
  const plan: Plan = {
    schemaVersion: 2,
    runId: choice.runId,
    experiment: experiment.id,
    target: choice.target,
    preset: choice.preset,
    seed,
    createdAt: choice.createdAt,
    cells: [...cells],
    ...protocol,
    sizes,
    blocks: blocks(sizes.environments),
    lanes,
    ...(isOnAws && chooseSpacing(experiment, lanes)),
    timeoutSeconds: experiment.timeoutSeconds,
    warnings: [...warnings, ...planWarnings(cells, sizes)],
  };
  if (stopping === undefined) return plan;
  return withStoppingRule(plan, blocks(largestSizes.cold), stopping, experiment);
}

/** Returns how functions are called, and the declared factors whose two variants are both among the cells. */
function planProtocol(experiment: ExperimentProtocol, cells: readonly Cell[]) {
  const { coldOperation, warmOperations, requests, priors, factors = [] } = experiment;
  const isPlanned = (id: string) => cells.some(({ variant }) => variant === id);
  const planned = factors.filter(
    ({ variant, baseline }) => isPlanned(variant) && isPlanned(baseline),
  );
  return {
    coldOperation,
    warmOperations: [...warmOperations],
    ...defined({ requests }),
    ...(experiment.ownResults && { ownResults: true as const }),
    ...(experiment.table === undefined && { withoutTable: true as const }),
    ...(experiment.bucket !== undefined && { withBucket: true as const }),
    ...defined({ priors }),
    ...(planned.length > 0 && { factors: planned }),
  };
}

/** Returns the number of samples in a plan: each trial's cold and second one, and the warm ones of warm trials. */
export function plannedSamples(plan: Plan): number {
  return countSamples(plan, plan.blocks);
}

/** Returns the call spacing of a plan for AWS with so many lanes. */
export function chooseSpacing(
  {
    coldOperation,
    warmOperations,
    requests,
  }: Pick<Plan, "coldOperation" | "requests"> & {
    readonly warmOperations: readonly string[];
  },
  lanes: number,
): CallSpacing {
  return chooseCallSpacing([coldOperation, ...warmOperations], requests, lanes);
}

/** Returns the plan with another number of lanes, at most one per cell, and the call spacing that follows from it. */
export function inLanes(plan: Plan, count: number): Plan {
  const lanes = Math.min(count, plan.cells.length);
  const { operationSpacingMs: _, ...others } = plan;
  const isPaced = plan.callSpacingMs !== undefined;
  return { ...others, lanes, ...(isPaced && chooseSpacing(plan, lanes)) };
}

interface CheckedSizes {
  readonly sizes: PlanSizes;
  /** Warnings about sizes that were raised. */
  readonly warnings: readonly string[];
}

/** Returns the requested sizes. If all warm calls would be discarded, they are raised so that a sample is left. */
function planSizes(experiment: ExperimentProtocol, choice: RunChoice): CheckedSizes {
  const preset = experiment.presets[choice.preset];
  if (preset === undefined) throw new InvalidInput("preset", choice.preset, "quick, standard");
  checkWhole("seed", choice.seed, 0, largestSeed);
  checkWhole("lanes", choice.lanes, 1, 1000);
  const environments = choice.cold ?? preset.environments;
  checkWhole("cold", environments, 1, largestSizes.cold);
  const warm = choice.warm ?? preset.warmCalls;
  checkWhole("warm", warm, 0, largestSizes.warm);
  const { discardedCalls } = experiment;
  if (warm === 0) {
    const sizes = { environments, warmEnvironments: 0, warmCalls: 0, discardedCalls };
    return { sizes, warnings: [] };
  }
  const warmEnvironments = Math.min(environments, preset.warmEnvironments);
  const warmCalls = Math.max(Math.ceil(warm / warmEnvironments), discardedCalls + 1);
  const sizes = { environments, warmEnvironments, warmCalls, discardedCalls };
  const calls = warmCalls * warmEnvironments;
  const isRaised = warm <= discardedCalls * warmEnvironments;
  return { sizes, warnings: isRaised ? [raisedText(warm, calls, sizes)] : [] };
}

function raisedText(asked: number, made: number, sizes: PlanSizes): string {
  const { discardedCalls, warmEnvironments } = sizes;
  return `${asked} warm calls were asked for; ${made} are made: the first ${discardedCalls} in each of ${warmEnvironments} environments are discarded`;
}

interface BlockOrder {
  readonly seed: number;
  readonly count: number;
  /** The operation whose position in the warm order rotates among a block's trials; undefined: none. */
  readonly staggered: string | undefined;
}

/**
 * Puts every cell once in every block, in a seeded order, so that drift affects all alike. A block does not depend on
 * how many blocks follow it: after the planned ones, the same share of blocks have warm calls.
 */
function makeBlocks(
  { warmOperations, requests = {} }: ExperimentProtocol,
  cells: readonly Cell[],
  { environments, warmEnvironments }: PlanSizes,
  { seed, count, staggered }: BlockOrder,
): Block[] {
  const random = new SeededRandom(seed);
  const protocol = { warmOperations: [...warmOperations], requests };
  return Array.from({ length: count }, (_, index) => {
    const goesOnToWarm = isSpread(index, warmEnvironments, environments);
    const trials = random.shuffled(cells).map((cell, place) => {
      const operations = goesOnToWarm ? listWarmOperations(protocol, cell.variant) : [];
      const order = random.shuffled(operations);
      return { cellId: cell.id, warmOrder: movedTo(order, staggered, index + place) };
    });
    return { index, trials };
  });
}

/**
 * Moves one operation to a rotating position in the order, so that of n trials made at the same time, for n
 * operations, at most one makes it. Over all blocks each position is as likely as before, because the trials' own
 * order is random.
 */
function movedTo(order: string[], operation: string | undefined, turn: number): string[] {
  if (operation === undefined || !order.includes(operation)) return order;
  const moved = order.filter((each) => each !== operation);
  moved.splice(turn % order.length, 0, operation);
  return moved;
}

/** Returns true for `chosen` of the indices below `total`, evenly spread; the pattern continues beyond `total`. */
function isSpread(index: number, chosen: number, total: number): boolean {
  return Math.floor(((index + 1) * chosen) / total) > Math.floor((index * chosen) / total);
}

function planWarnings(cells: readonly Cell[], sizes: PlanSizes): string[] {
  const warnings: string[] = [];
  if (sizes.environments < 6) {
    warnings.push(`${sizes.environments} environments a cell: a 95% interval of a median needs 6`);
  }
  if (!cells.some((cell) => cell.replicaOf !== undefined)) {
    warnings.push("no A/A pair among the cells: the report has no noise floor");
  }
  return warnings;
}

function checkWhole(field: string, value: number, smallest: number, largest: number): void {
  if (Number.isInteger(value) && value >= smallest && value <= largest) return;
  throw new InvalidInput(field, value, `a whole number from ${smallest} to ${largest}`);
}

/**
 * Sizes of the part under callgrind. Instruction counts repeat within 1%, which three environments show; each call is
 * made a few times because some of it is random (the seeds of hash maps).
 */
const sizes = { environments: 3, warmEnvironments: 3, warmCalls: 4, discardedCalls: 0 } as const;

/** Adds trials under callgrind after the blocks, at the largest size: memory does not limit a CPU share there. */
export function withInstrumentedPart(plan: Plan): Plan {
  const largestMb = Math.max(...plan.cells.map((cell) => cell.memoryMb));
  const isOnce = ({ variant, replicaOf }: Cell, index: number) =>
    replicaOf === undefined &&
    plan.cells.findIndex((cell) => cell.variant === variant && cell.memoryMb === largestMb) ===
      index;
  const trials = plan.cells
    .filter(isOnce)
    .map(({ id, variant }) => ({ cellId: id, warmOrder: [...listWarmOperations(plan, variant)] }));
  const blocks = Array.from({ length: sizes.environments }, (_, block) => ({
    index: plan.blocks.length + block,
    trials,
  }));
  return { ...plan, instrumented: { sizes, blocks } };
}

/** Returns the trials under callgrind as a separate plan; undefined if there are none. */
export function instrumentedPlan(plan: Plan): Plan | undefined {
  const { instrumented, ...timed } = plan;
  return instrumented && { ...timed, ...instrumented };
}
