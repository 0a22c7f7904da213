import { compareRacers, type Racer, type SizeRatio } from "./size-ratio.ts";
import { farOut } from "./warnings.ts";

/** The criterion of a race of sizes: the product of the quantities' means over blocks; lower is better. */
export interface Criterion<Name extends string = string> {
  readonly name: Name;
  readonly racers: readonly Racer[];
}

/**
 * Calls of a size before a race may be decided. 170 calls miss a rare event in 1 of 100 calls, such as a retry of two
 * seconds, in 18 of 100 runs, and at two sizes, which share their services, in 3 of 100; a run that missed it cannot
 * account for it.
 */
export const callsToDecide = 170;
/** The same limit if some size has seen a rare event: 400 calls miss it at another size in 2 of 100 runs. */
export const callsWhereRare = 400;

interface RaceRule {
  /** Blocks measured before each look, ascending. */
  readonly looks: readonly number[];
  /** Blocks before which only sizes that are far worse drop out: see callsToDecide and callsWhereRare. @default 0 */
  readonly blocksToDecide?: number;
  readonly blocksWhereRare?: number;
  /** Tolerance of the chosen size relative to the best one; 0.1 is 10%. */
  readonly tolerance: number;
  /** Share of runs in which any race may choose a size beyond the tolerance. */
  readonly errorRate: number;
  /**
   * True if a size must still be measured although no race needs it; it may depend only on these first blocks.
   * @default none is
   */
  readonly isNeeded?: (id: string, blocks: number) => boolean;
}

/** A size that has dropped out of a race. */
export interface Exit {
  readonly id: string;
  /** Number of blocks before the look at which it dropped out. */
  readonly blocks: number;
  /**
   * `beaten`: `by` is better by the whole interval. `covered`: `by`, a smaller size, is at most the tolerance above
   * it by the whole interval. `failed`: it has no figure in most blocks.
   */
  readonly why: "beaten" | "covered" | "failed";
  readonly by?: string;
}

/** The state of a race after its looks. */
export interface Race<Name extends string = string> {
  readonly name: Name;
  /** Sizes that may still be chosen, the one with the smallest figure first. */
  readonly left: readonly string[];
  /** Absent until the race is decided. */
  readonly chosen?: { readonly id: string; readonly blocks: number };
  readonly exits: readonly Exit[];
  /** Figure of the chosen size, or of the first one left, relative to every other size's, with 95% CIs. */
  readonly against: readonly SizeRatio[];
}

/** The sizes measured from a block on, until the next stint. */
interface Stint {
  readonly from: number;
  readonly ids: readonly string[];
}

export interface Races<Name extends string = string> {
  readonly races: readonly Race<Name>[];
  /** Stints in order; the first has every size. */
  readonly stints: readonly Stint[];
  /** True if nothing is left to decide. */
  readonly isDecided: boolean;
  /** Sizes still measured although no race needs them. */
  readonly kept: readonly string[];
  /** Blocks before which only sizes that are far worse drop out; absent if the last look was not before them. */
  readonly blocksNeeded?: number;
}

/**
 * Returns the races after their looks. Each look depends only on the values of the blocks before it: the same values
 * give the same races, with or without an interruption.
 *
 * At each look every pair of remaining sizes has an interval: Student's t over the terms that their shared blocks add
 * to the difference of their figures' logarithms. A size is beaten if another one is below it by the whole interval.
 * It is covered if a smaller size is at most the tolerance above it by the whole interval: so small a gain does not
 * justify a larger size. If a size that covers others drops out itself, they return, so that the tolerance never adds
 * up along a chain of sizes. The race is decided when one size is left. A size is measured while it is left in an
 * undecided race, or if `isNeeded` says so. Before blocksToDecide only sizes that are far worse drop out: fewer calls
 * may have missed rare long ones.
 *
 * A race of k sizes chooses one that is more than the tolerance above the best only if one of the k - 1 others
 * eliminated the best by a wrong bound. The error rate is divided by these bounds, by the races, and among the looks
 * (shareOfLook), so that no decision depends on how many looks the budget allows (Bonferroni; for races that
 * eliminate by intervals, to a tolerance: Even-Dar, Mannor and Mansour, Journal of Machine Learning Research 7,
 * 2006).
 */
export function raceSizes<Name extends string>(
  criteria: readonly Criterion<Name>[],
  rule: RaceRule,
): Races<Name> {
  const { looks, blocksToDecide = 0, tolerance, errorRate, isNeeded } = rule;
  const ids = [...new Set(criteria.flatMap(({ racers }) => racers.map(({ id }) => id)))];
  const stints: Stint[] = [{ from: 0, ids }];
  let races: readonly Running<Name>[] = criteria.map((criterion) => ({
    criterion,
    name: criterion.name,
    exits: [],
    left: criterion.racers.map(({ id }) => id),
  }));
  const early = looks.filter((blocks) => blocks < blocksToDecide).length;
  let blocksNeeded: number | undefined;
  let kept: readonly string[] = [];
  const isDecided = () => races.every(isOver) && kept.length === 0;
  for (const [index, blocks] of looks.entries()) {
    if (isDecided()) break;
    const tail = (errorRate * shareOfLook(index, early)) / Math.max(1, ids.length - 1);
    blocksNeeded = blocksBeyond(criteria, rule, { blocks, stints });
    const look = { blocks, tail, tolerance, stints, isEarly: blocksNeeded !== undefined };
    races = races.map((race) => (isOver(race) ? race : afterLook(race, look)));
    const going = new Set(races.flatMap((race) => (isOver(race) ? [] : race.left)));
    kept = ids.filter((id) => isNeeded?.(id, blocks) === true);
    stints.push({ from: blocks, ids: ids.filter((id) => going.has(id) || kept.includes(id)) });
  }
  return {
    races: races.map((race) => withRatios(race, stints)),
    stints,
    isDecided: isDecided(),
    kept,
    ...(blocksNeeded !== undefined && { blocksNeeded }),
  };
}

/** Returns the blocks that it takes to decide, if the look comes before them. */
function blocksBeyond(
  criteria: readonly Criterion[],
  { blocksToDecide = 0, blocksWhereRare = 0 }: RaceRule,
  before: Pick<Look, "blocks" | "stints">,
): number | undefined {
  const isRare = before.blocks < blocksWhereRare && hasRareBlocks(criteria, before);
  const needed = isRare ? blocksWhereRare : blocksToDecide;
  return before.blocks < needed ? needed : undefined;
}

/** True if some size has a block that takes far longer than its others, because one of its calls was long. */
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

/** True if a size is measured in a block. */
export function isMeasuredIn(stints: readonly Stint[], id: string, block: number): boolean {
  return stints.findLast(({ from }) => from <= block)?.ids.includes(id) ?? false;
}

/**
 * Returns a look's share of the error rate. The looks before blocksToDecide share an eighth, halving from look to
 * look; of the rest, the first three looks get a quarter each, and later ones half of the one before. The sum is 1.
 */
export function shareOfLook(index: number, early: number): number {
  if (index < early) return 2 ** -(index + 4);
  return (7 / 8) * 2 ** -Math.max(2, index - early);
}

type Running<Name extends string> = Omit<Race<Name>, "against"> & {
  readonly criterion: Criterion<Name>;
};

const tailOf95 = 0.025;

function withRatios<Name extends string>(
  { criterion, ...race }: Running<Name>,
  stints: readonly Stint[],
): Race<Name> {
  const look = { blocks: stints.at(-1)?.from ?? 0, stints };
  const measured = criterion.racers.map((racer) => measuredOnly(racer, look));
  const first = measured.find(({ id }) => id === race.left[0]);
  const others = first === undefined ? [] : measured.filter((other) => other !== first);
  const against = others.map((other) => compareRacers(first as Racer, other, { tail: tailOf95 }));
  return { ...race, against };
}

/** True if the race is decided, or has no size left to choose. */
function isOver({ chosen, left }: Pick<Race, "chosen" | "left">): boolean {
  return chosen !== undefined || left.length === 0;
}

interface Look {
  readonly blocks: number;
  readonly tail: number;
  readonly tolerance: number;
  readonly stints: readonly Stint[];
  /** True if there were too few calls to see rare ones. */
  readonly isEarly: boolean;
}

/**
 * Factor by which a size's whole interval must exceed another size for it to drop out early: rare calls not seen yet
 * may lengthen the other one by as much.
 */
const farAbove = 1.3;

function afterLook<Name extends string>(race: Running<Name>, look: Look): Running<Name> {
  const { criterion } = race;
  const { blocks, isEarly } = look;
  const measured = criterion.racers.map((racer) => measuredOnly(racer, look));
  const ratioOf: RatioOf = (one, other) => compareRacers(one, other, look);
  const leftAfter = (exits: readonly Exit[]) =>
    measured.filter(({ id }) => exits.every((exit) => exit.id !== id));
  const out = dropOuts(leftAfter(race.exits), ratioOf, look);
  const exits = withCovered([...race.exits, ...out], (known) =>
    isEarly ? [] : coveredBySmaller(inOrder(leftAfter(known), ratioOf), ratioOf, look),
  );
  const remaining = inOrder(leftAfter(exits), ratioOf);
  const [least] = remaining;
  return {
    criterion,
    name: criterion.name,
    left: remaining.map(({ id }) => id),
    ...(remaining.length === 1 && least !== undefined && { chosen: { id: least.id, blocks } }),
    exits,
  };
}

/** Returns the exits of the sizes that have no figure in most blocks, and of those that another one beats. */
function dropOuts(
  racers: readonly Racer[],
  ratioOf: RatioOf,
  { blocks, isEarly }: Look,
): readonly Exit[] {
  const isAble = ({ byBlock }: Racer) => 2 * byBlock.size >= blocks;
  const able = inOrder(racers.filter(isAble), ratioOf);
  const beyond = isEarly ? farAbove : 1;
  const beaten = able.slice(1).flatMap((racer): readonly Exit[] => {
    const winner = able.find((other) => (ratioOf(racer, other).low ?? 0) > beyond);
    return winner === undefined ? [] : [{ id: racer.id, blocks, why: "beaten", by: winner.id }];
  });
  const failed = racers.filter((racer) => !isAble(racer));
  return [...failed.map(({ id }) => ({ id, blocks, why: "failed" as const })), ...beaten];
}

/**
 * Returns the exits, with those of covered sizes. If a size that covers others drops out itself, they return, and
 * another one may cover them.
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

/**
 * Returns the exits of remaining sizes that a smaller one covers, the smaller ones first. Those that a covered size
 * covers are among them: withCovered lets these return.
 */
function coveredBySmaller(
  racers: readonly Racer[],
  ratioOf: RatioOf,
  { blocks, tolerance }: Look,
): readonly Exit[] {
  const bySize = racers.toSorted((one, other) => one.memoryMb - other.memoryMb);
  const covered: Exit[] = [];
  for (const [index, racer] of bySize.entries()) {
    for (const larger of bySize.slice(index + 1)) {
      const { high = Number.POSITIVE_INFINITY } = ratioOf(racer, larger);
      if (high > 1 + tolerance || covered.some(({ id }) => id === larger.id)) continue;
      covered.push({ id: larger.id, blocks, why: "covered", by: racer.id });
    }
  }
  return covered;
}

type RatioOf = (one: Racer, other: Racer) => SizeRatio;

/** Sorts the sizes, the one with the smallest figure first. */
function inOrder(racers: readonly Racer[], ratioOf: RatioOf): readonly Racer[] {
  return racers.toSorted((one, other) => Math.log(ratioOf(one, other).ratio));
}

/** Returns the size with only the blocks before the look in which it was to be measured. */
function measuredOnly(
  { byBlock, ...racer }: Racer,
  { blocks, stints }: Pick<Look, "blocks" | "stints">,
): Racer {
  const own = [...byBlock].filter(
    ([block]) => block < blocks && isMeasuredIn(stints, racer.id, block),
  );
  return { ...racer, byBlock: new Map(own) };
}
