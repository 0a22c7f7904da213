/** The parts of StrykerJS's JSON report that a share needs (github.com/stryker-mutator/mutation-testing-elements). */
export interface MutantReport {
  readonly files: Readonly<
    Record<string, { readonly mutants: readonly { readonly status: string }[] }>
  >;
}

export interface KilledShare {
  readonly all: number;
  readonly drawn: number;
  readonly killed: number;
  /** The share killed, and its 95% interval. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const z = 1.96;

/**
 * Returns the share of the drawn mutants that the tests killed, with Wilson's interval (Brown, Cai and DasGupta,
 * Interval estimation for a binomial proportion, 2001). A test that a mutant never lets end has seen it. A mutant that
 * draw.mjs left out counts as not compiling.
 */
export function killedShare({ files }: MutantReport): KilledShare {
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  const count = (...statuses: readonly string[]) =>
    all.filter(({ status }) => statuses.includes(status)).length;
  const killed = count("Killed", "Timeout");
  const drawn = killed + count("Survived", "NoCoverage");
  const share = killed / drawn;
  const centre = (share + z ** 2 / (2 * drawn)) / (1 + z ** 2 / drawn);
  const half =
    (z / (1 + z ** 2 / drawn)) *
    Math.sqrt((share * (1 - share)) / drawn + z ** 2 / (4 * drawn ** 2));
  return { all: all.length, drawn, killed, share, low: centre - half, high: centre + half };
}

/** The share of a room's mutants that its tests are to kill. */
const bar = 0.9;
/** Of five rooms at the bar, one fails by chance in 1 of 40 draws. */
const leastChance = 0.005;

/**
 * Returns whether a draw shows that a room is below the bar: of a room at the bar, chance makes as few or fewer killed
 * in less than 1 of 200 draws. A draw without mutants shows nothing, and is no success.
 */
export function isBelowBar({ drawn, killed }: Pick<KilledShare, "drawn" | "killed">): boolean {
  let chance = bar ** drawn;
  let more = 0;
  for (let count = drawn; count > killed; count--) {
    more += chance;
    chance *= ((1 - bar) * count) / (bar * (drawn - count + 1));
  }
  return drawn === 0 || 1 - more < leastChance;
}

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

export function describeShare({ all, drawn, killed, share, low, high }: KilledShare): string {
  if (drawn === 0) return `none of ${all} mutants drawn`;
  return `${killed} of ${drawn} mutants killed, drawn from ${all}: ${percent(share)} (95% CI: ${percent(low)} to ${percent(high)})`;
}
