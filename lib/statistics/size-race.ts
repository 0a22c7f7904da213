import { compareRacers, type Racer, type SizeRatio } from "./size-ratio.ts";
import { farOut } from "./warnings.ts";

/** What sizes race for: the product of the quantities' means over blocks; less is better. */
export interface Criterion<Name extends string = string> {
  readonly name: Name;
  readonly racers: readonly Racer[];
}

/**
 * Calls of a size before anything is decided by it. What befalls 1 of 100 calls, as a retry of two seconds, is missed by
 * 170 calls in 18 of 100 runs, and at two sizes, which share their services, in 3; a run that missed it knows nothing of it.
 */
export const callsToDecide = 170;
/** The same where some size has seen such a call: 400 calls miss it at another one in 2 of 100 runs. */
export const callsWhereRare = 400;

interface RaceRule {
  /** Blocks measured before each look, ascending. */
  readonly looks: readonly number[];
  /** Blocks before which only what is beaten by far goes out: see callsToDecide and callsWhereRare. @default 0 */
  readonly blocksToDecide?: number;
  readonly blocksWhereRare?: number;
  /** How far above the best size the chosen one may be; 0.1 is 10 %. */
  readonly tolerance: number;
  /** The share of runs in which any of the races may end with a size that is further above the best. */
  readonly errorRate: number;
}

/** A size that is out of a race. */
export interface Exit {
  readonly id: string;
  /** Measured before the look at which it went out. */
  readonly blocks: number;
  /**
   * `beaten`: `by` is better by the whole interval. `covered`: `by`, a smaller size, is at most the tolerance
   * above it by the whole interval. `failed`: it has no figure in most blocks.
   */
  readonly why: "beaten" | "covered" | "failed";
  readonly by?: string;
}

/** How a race stands after its looks. */
export interface Race<Name extends string = string> {
  readonly name: Name;
  /** Sizes that may still be chosen, the one of the least figure first. */
  readonly left: readonly string[];
  /** Absent: not decided yet. */
  readonly chosen?: { readonly id: string; readonly blocks: number };
  readonly exits: readonly Exit[];
  /** The chosen size's figure, or that of the first one left, over each other's, with 95 % intervals. */
  readonly against: readonly SizeRatio[];
}

/** Which sizes are measured from a block on, until the next entry. */
interface Stint {
  readonly from: number;
  readonly ids: readonly string[];
}

export interface Races<Name extends string = string> {
  readonly races: readonly Race<Name>[];
  /** The first has every size. */
  readonly stints: readonly Stint[];
  /** Whether there is nothing left to decide. */
  readonly isDecided: boolean;
  /** Blocks before which only what is beaten by far goes out; absent where the last look was not before them. */
  readonly blocksNeeded?: number;
}

/**
 * The races after their looks, by the values of the blocks before each look alone: the same values give
 * the same races, whether they were measured in one go or after an interruption.
 *
 * At each look every pair of sizes that are left has an interval: Student's t of what the blocks that both
 * have add to the difference of their figures' logarithms. A size that another one is below by the whole
 * interval is beaten. What a smaller size is at most the tolerance above, by the whole interval, is covered
 * by it: nothing larger is taken for so little. A size that covers others is left; where it goes out itself,
 * they are back, so that the tolerance never adds up along a chain of sizes. The race is decided when one size is left.
 * A size is measured as long as it is left in a race that is not decided. Before blocksToDecide only what is beaten by
 * far goes out: fewer calls may not have seen what is rare and long.
 *
 * A race of k sizes is decided for one that is more than the tolerance above the best only if the best was
 * put out by it or another of the k - 1 others, by a bound that was wrong. The error rate is divided by
 * these bounds, by the races, and among the looks (shareOfLook), so that no decision depends on how many
 * looks the budget allows (Bonferroni; a race by intervals that puts out what is beaten, to a tolerance:
 * Even-Dar, Mannor and Mansour, Journal of Machine Learning Research 7, 2006).
 */
export function raceSizes<Name extends string>(
  criteria: readonly Criterion<Name>[],
  { looks, blocksToDecide = 0, blocksWhereRare = 0, tolerance, errorRate }: RaceRule,
): Races<Name> {
  const ids = [...new Set(criteria.flatMap(({ racers }) => racers.map(({ id }) => id)))];
  const bounds = Math.max(1, ids.length - 1);
  const stints: Stint[] = [{ from: 0, ids }];
  let races: readonly Running<Name>[] = criteria.map((criterion) => ({
    ...{ criterion, name: criterion.name, exits: [] },
    left: criterion.racers.map(({ id }) => id),
  }));
  const early = looks.filter((blocks) => blocks < blocksToDecide).length;
  let blocksNeeded: number | undefined;
  for (const [index, blocks] of looks.entries()) {
    if (races.every(isOver)) break;
    const tail = (errorRate * shareOfLook(index, early)) / bounds;
    const isRare = blocks < blocksWhereRare && hasRareBlocks(criteria, { blocks, stints });
    const needed = isRare ? blocksWhereRare : blocksToDecide;
    blocksNeeded = blocks < needed ? needed : undefined;
    const look = { blocks, tail, tolerance, stints, isEarly: blocksNeeded !== undefined };
    races = races.map((race) => (isOver(race) ? race : afterLook(race, look)));
    const going = new Set(races.flatMap((race) => (isOver(race) ? [] : race.left)));
    stints.push({ from: blocks, ids: ids.filter((id) => going.has(id)) });
  }
  return {
    races: races.map(({ criterion, ...race }) => ({
      ...race,
      against: ratiosOfFirst(criterion, race, stints),
    })),
    stints,
    isDecided: races.every(isOver),
    ...(blocksNeeded !== undefined && { blocksNeeded }),
  };
}

/** Whether some size has a block that takes far longer than its others: one of its calls was long. */
function hasRareBlocks(
  criteria: readonly Criterion[],
  before: Pick<Look, "blocks" | "stints">,
): boolean {
  return criteria.some(({ racers }) =>
    racers.some((racer) => {
      const rows = [...measuredOnly(racer, before).byBlock.values()];
      return (rows[0] ?? []).some((_, quantity) => {
        const values = rows.map((row) => row[quantity] ?? 0);
        const outliers = farOut(values);
        if (outliers.kind !== "outliers") return false;
        return values.some((value) => value > outliers.highFence);
      });
    }),
  );
}

/** Whether a size is measured in a block. */
export function isMeasuredIn(stints: readonly Stint[], id: string, block: number): boolean {
  return stints.findLast(({ from }) => from <= block)?.ids.includes(id) ?? false;
}

/**
 * Of the error rate: an eighth for all looks before blocksToDecide, half of the one before for each; of the rest a
 * quarter for each of the first three looks from there on, and then half of the one before. The sum is 1.
 */
function shareOfLook(index: number, early: number): number {
  if (index < early) return 2 ** -(index + 4);
  return (7 / 8) * 2 ** -Math.max(2, index - early);
}

type Running<Name extends string> = Omit<Race<Name>, "against"> & {
  readonly criterion: Criterion<Name>;
};

const tailOf95 = 0.025;

function ratiosOfFirst(
  { racers }: Criterion,
  { left: [first] }: Pick<Race, "left">,
  stints: readonly Stint[],
): readonly SizeRatio[] {
  const look = { blocks: stints.at(-1)?.from ?? 0, stints };
  const measured = racers.map((racer) => measuredOnly(racer, look));
  const named = measured.find(({ id }) => id === first);
  if (named === undefined) return [];
  const others = measured.filter((other) => other !== named);
  return others.map((other) => compareRacers(named, other, { tail: tailOf95 }));
}

/** Decided, or without a size that could be chosen. */
function isOver({ chosen, left }: Pick<Race, "chosen" | "left">): boolean {
  return chosen !== undefined || left.length === 0;
}

interface Look {
  readonly blocks: number;
  readonly tail: number;
  readonly tolerance: number;
  readonly stints: readonly Stint[];
  /** Whether there were too few calls to have seen what is rare. */
  readonly isEarly: boolean;
}

/**
 * How far above another size one must be, by the whole interval, to go out early: by so much of its time rare calls
 * that were not seen yet may lengthen the other one.
 */
const farAbove = 1.3;

function afterLook<Name extends string>(race: Running<Name>, look: Look): Running<Name> {
  const { criterion } = race;
  const { blocks } = look;
  const measured = criterion.racers.map((racer) => measuredOnly(racer, look));
  const ratioOf = (one: Racer, other: Racer) => compareRacers(one, other, look);
  const isOut = ({ id }: Racer, exits: readonly Exit[]) => exits.some((exit) => exit.id === id);
  const all = measured.filter((racer) => !isOut(racer, race.exits));
  const failed = all.filter(({ byBlock }) => 2 * byBlock.size < blocks);
  const able = inOrder(
    all.filter((racer) => !failed.includes(racer)),
    ratioOf,
  );
  const beyond = look.isEarly ? farAbove : 1;
  const beaten = able.slice(1).flatMap((racer): readonly Exit[] => {
    const winner = able.find((other) => (ratioOf(racer, other).low ?? 0) > beyond);
    return winner === undefined ? [] : [{ id: racer.id, blocks, why: "beaten", by: winner.id }];
  });
  const out = [...failed.map(({ id }) => ({ id, blocks, why: "failed" as const })), ...beaten];
  const exits = withCovered([...race.exits, ...out], (known) => {
    const remaining = inOrder(
      measured.filter((racer) => !isOut(racer, known)),
      ratioOf,
    );
    return look.isEarly ? [] : coveredBySmaller(remaining, ratioOf, look);
  });
  const left = inOrder(
    measured.filter((racer) => !isOut(racer, exits)),
    ratioOf,
  );
  const [least] = left;
  return {
    criterion,
    name: criterion.name,
    left: left.map(({ id }) => id),
    ...(left.length === 1 && least !== undefined && { chosen: { id: least.id, blocks } }),
    exits,
  };
}

/**
 * The exits with those of sizes that are covered. What covers others stays: where a size that did is out
 * itself, those that it covered are back, and may be covered by another one.
 */
function withCovered(
  before: readonly Exit[],
  coveredNow: (exits: readonly Exit[]) => readonly Exit[],
): readonly Exit[] {
  let exits = before;
  while (true) {
    const out = new Set(exits.map(({ id }) => id));
    exits = exits.filter(({ why, by = "" }) => why !== "covered" || !out.has(by));
    const covered = coveredNow(exits);
    if (covered.length === 0 && exits.length === out.size) return exits;
    exits = [...exits, ...covered];
  }
}

/** Of sizes that are left, the smaller ones first. */
function coveredBySmaller(
  racers: readonly Racer[],
  ratioOf: RatioOf,
  { blocks, tolerance }: Look,
): readonly Exit[] {
  const bySize = racers.toSorted((one, other) => one.memoryMb - other.memoryMb);
  const covered: Exit[] = [];
  for (const [index, racer] of bySize.entries()) {
    if (covered.some(({ id }) => id === racer.id)) continue;
    for (const larger of bySize.slice(index + 1)) {
      const { high = Number.POSITIVE_INFINITY } = ratioOf(racer, larger);
      if (high > 1 + tolerance || covered.some(({ id }) => id === larger.id)) continue;
      covered.push({ id: larger.id, blocks, why: "covered", by: racer.id });
    }
  }
  return covered;
}

type RatioOf = (one: Racer, other: Racer) => SizeRatio;

/** The one of the least figure first. */
function inOrder(racers: readonly Racer[], ratioOf: RatioOf): readonly Racer[] {
  return racers.toSorted((one, other) => Math.log(ratioOf(one, other).ratio));
}

/** What was measured before the look of a size that was to be. */
function measuredOnly(
  { byBlock, ...racer }: Racer,
  { blocks, stints }: Pick<Look, "blocks" | "stints">,
): Racer {
  const own = [...byBlock].filter(
    ([block]) => block < blocks && isMeasuredIn(stints, racer.id, block),
  );
  return { ...racer, byBlock: new Map(own) };
}
