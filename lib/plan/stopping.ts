import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import type {
  Block,
  Cell,
  Plan,
  SizeChoiceBasis,
  StoppingRule,
} from "../contract/types/contract.ts";
import type { Experiment } from "./experiment.ts";
import { isSameSize } from "./matrix.ts";
import { countTrialCalls } from "./trial-calls.ts";

/** The requested stopping rule of a run; absent fields get defaults. */
export interface StoppingChoice {
  /** Target half-width of every ratio's 95% CI, as a share of the ratio; 0.05 is 5%. */
  readonly untilPrecision: number;
  readonly maxSamples?: number;
  readonly maxMinutes?: number;
  /**
   * If present, the run continues until memory sizes are chosen, to within untilPrecision.
   * @default it continues until its ratios are precise
   */
  readonly sizeChoice?: SizeChoiceBasis;
}

/** Default tolerance for the choice of sizes. */
const usualTolerance = 0.1;

/** Returns the stopping rule; undefined if there is none. Throws InvalidInput for a budget without a rule. */
export function stoppingChoice({
  untilPrecision,
  maxSamples,
  maxMinutes,
  sizeChoice,
}: {
  readonly [Field in keyof StoppingChoice]?: StoppingChoice[Field] | undefined;
}): StoppingChoice | undefined {
  if (untilPrecision !== undefined || sizeChoice !== undefined) {
    return {
      untilPrecision: untilPrecision ?? usualTolerance,
      ...defined({ sizeChoice, maxSamples, maxMinutes }),
    };
  }
  for (const [field, found] of Object.entries({ maxSamples, maxMinutes })) {
    if (found === undefined) continue;
    throw new InvalidInput(field, found, "no value without untilPrecision, whose budget it is");
  }
  return undefined;
}

/** Default budget, in multiples of the smallest run: half the interval takes 4 times the environments, a third 10. */
const usualSamplesToLeast = 10;
const usualMinutes = 120;
/** Default limit in minutes for the choice of sizes: a user waits for it, and it reports what is undecided. */
const usualMinutesOfSizeChoice = 10;
const largestMinutes = 7 * 24 * 60;

/**
 * Extends the smallest plan by as many blocks as the budget's samples allow. `all` are the most blocks that a plan
 * can have, starting with the plan's own. Throws InvalidInput if the budget does not cover the smallest plan, or if
 * there is no ratio.
 */
export function withStoppingRule(
  plan: Plan,
  all: readonly Block[],
  choice: StoppingChoice,
  experiment: Pick<Experiment, "baselineVariant" | "presets">,
): Plan {
  const { untilPrecision, sizeChoice } = choice;
  const usual = sizeChoice === undefined ? usualMinutes : usualMinutesOfSizeChoice;
  const { maxMinutes = usual } = choice;
  if (sizeChoice === undefined) {
    checkLeast(plan, experiment);
    checkRatios(plan.cells, experiment.baselineVariant);
  } else {
    checkSizeChoice(plan);
  }
  if (!(maxMinutes > 0 && maxMinutes <= largestMinutes)) {
    throw new InvalidInput("maxMinutes", maxMinutes, `above 0 and at most ${largestMinutes}`);
  }
  const least = countSamples(plan, plan.blocks);
  const { maxSamples = usualSamplesToLeast * least } = choice;
  if (maxSamples < least) {
    const minimum = `the ${plan.blocks.length} environments a cell that are measured in any case`;
    throw new InvalidInput("maxSamples", maxSamples, `at least ${least}, for ${minimum}`);
  }
  const blocks = blocksWithin(plan, all, maxSamples * mostBlocksToFull(plan, choice));
  const mostBlocksBy = blocks.length === all.length ? "largestPlan" : "maxSamples";
  const stopping: StoppingRule = {
    untilPrecision,
    maxSamples,
    maxMinutes,
    mostBlocksBy,
    ...defined({ sizeChoice }),
  };
  return { ...plan, blocks, stopping };
}

/** Throws InvalidInput if the plan has fewer environments than its preset: the first look comes after that many. */
function checkLeast({ preset, sizes }: Plan, { presets }: Pick<Experiment, "presets">): void {
  const least = presets[preset as keyof typeof presets]?.environments ?? 0;
  if (sizes.environments >= least) return;
  const allowed = `${least} and more with untilPrecision: the ${preset} preset's own`;
  throw new InvalidInput("cold", sizes.environments, allowed);
}

/** Returns how many times as many blocks the samples allow if all sizes but two are dropped. */
function mostBlocksToFull({ cells }: Plan, { sizeChoice }: StoppingChoice): number {
  if (sizeChoice === undefined) return 1;
  const variants = new Set(cells.map(({ variant }) => variant));
  return Math.max(1, cells.length / (2 * variants.size));
}

/** Throws InvalidInput unless every block has warm calls, which the choice of sizes needs. */
function checkSizeChoice({ cells, sizes }: Plan): void {
  const { environments, warmEnvironments } = sizes;
  if (warmEnvironments === 0) {
    throw new InvalidInput("warm", 0, "warm calls, by which sizes are chosen");
  }
  if (warmEnvironments !== environments || environments < leastOfSizeChoice) {
    const unit = "environments of each size before one is dropped";
    const allowed = `${leastOfSizeChoice} to ${Math.max(warmEnvironments, usualOfSizeChoice)} ${unit}`;
    throw new InvalidInput("cold", environments, allowed);
  }
  const found = [...new Set(cells.map(({ memoryMb }) => memoryMb))];
  if (found.length < 2) throw new InvalidInput("memory", found, "two sizes or more to choose from");
}

/** Fewest environments: below it, intervals by Student's t are too wide to decide anything. */
const leastOfSizeChoice = 4;
/** Number of environments that an interval needs. */
export const usualOfSizeChoice = 6;

function checkRatios(cells: readonly Cell[], baseline: string): void {
  const hasPair = cells.some(
    (cell) =>
      cell.variant !== baseline &&
      cells.some((other) => other.variant === baseline && isSameSize(other, cell)),
  );
  const found = [...new Set(cells.map(({ variant }) => variant))];
  const sizes = new Set(cells.map(({ memoryMb }) => memoryMb));
  // The ratios of a single variant are those between its sizes.
  if (hasPair || (found.length === 1 && sizes.size > 1)) return;
  const allowed = `${baseline} and another one, or two sizes of one, with untilPrecision: else there is no ratio`;
  throw new InvalidInput("variants", found, allowed);
}

/** Returns the number of samples in the blocks. */
export function countSamples(
  plan: Pick<Plan, "coldOperation" | "sizes" | "requests">,
  blocks: readonly Block[],
): number {
  const trials = blocks.flatMap((block) => block.trials);
  return trials.reduce((sum, trial) => sum + countTrialCalls(plan, trial), 0);
}

function blocksWithin(plan: Plan, all: readonly Block[], maxSamples: number): Block[] {
  let samples = 0;
  const tooMany = all.findIndex((block) => {
    samples += countSamples(plan, [block]);
    return samples > maxSamples;
  });
  return all.slice(0, tooMany === -1 ? all.length : tooMany);
}

/** Returns the most samples that a run takes. */
export function mostSamples(plan: Plan): number {
  const { maxSamples = Number.POSITIVE_INFINITY } = plan.stopping ?? {};
  return Math.min(maxSamples, countSamples(plan, plan.blocks));
}

/** Parses a percentage: `5%` is 0.05. Throws InvalidInput on anything else; its message calls the field by `name`. */
export function parsePercent(field: string, value: unknown, name = field): number {
  const [, number] = (typeof value === "string" && /^(\d+(?:\.\d+)?)\s*%$/.exec(value)) || [];
  const share = Number(number) / 100;
  if (share > 0 && share < 1) return share;
  const isBare = typeof value === "string" && /^\d+(\.\d+)?$/.test(value);
  const meant = isBare && Number(value) > 0 && Number(value) < 100 ? `${value}%` : "5%";
  const message = `${name} is a percentage between 0% and 100%, such as ${meant}; found ${JSON.stringify(value)}`;
  throw new InvalidInput(
    field,
    value,
    'a share above 0% and below 100%, for example "5%"',
    message,
  );
}
