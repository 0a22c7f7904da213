import { SeededRandom } from "../contract/seeded-order.ts";
import type { EnvironmentMedian } from "./series.ts";

type Environments = readonly EnvironmentMedian[];

/**
 * Both sides of a ratio, moved at random within one step of their clock if values of a side are equal: 20 ms
 * by a clock of whole milliseconds may be anything from 19.5 to 20.5 (Machado and Santos Silva, "Quantiles
 * for Counts", JASA 100, 2005). The median of equal values is the same in every draw of a bootstrap, so that
 * an interval says nothing of what the clock rounds off: where medians lie between two steps it held the true
 * ratio in 85 of 100 runs, and where they lie on one in all (decision 41). Sides without ties, and values
 * that no step fits, are left as they are.
 */
export function jitterTies(
  sides: readonly [Environments, Environments],
  seed: number,
): readonly [Environments, Environments] {
  const [one, other] = sides;
  if (!hasTies(one) && !hasTies(other)) return sides;
  const step = clockStep([...one, ...other].map(({ median }) => median));
  return step === undefined ? sides : [jittered(one, step, seed), jittered(other, step, seed)];
}

function hasTies(environments: Environments): boolean {
  return new Set(environments.map(({ median }) => median)).size < environments.length;
}

/** Of a millisecond; Lambda tells whole ones and hundredths. */
const finestStep = 1e-6;
/** Of a step: what a sum of floating-point numbers may be off. */
const rounding = 1e-6;

/** The largest of 1, 0.5, 0.1, 0.05 ... that all values are multiples of: a median of two may lie half-way. */
function clockStep(values: readonly number[]): number | undefined {
  for (let step = 1; step >= finestStep; step /= 10) {
    for (const tried of [step, step / 2]) {
      const isMultiple = (value: number) =>
        Math.abs(value / tried - Math.round(value / tried)) < rounding;
      if (values.every(isMultiple)) return tried;
    }
  }
  return undefined;
}

/** By the values and the seed, so that it is all the same which of the two sides they are. */
function jittered(environments: Environments, step: number, seed: number): Environments {
  const random = new SeededRandom((seed ^ fingerprint(environments)) >>> 0);
  return environments.map(({ block, median }) => {
    const share = (random.nextUint32() + 0.5) / 2 ** 32 - 0.5;
    return { block, median: median + share * step };
  });
}

/** FNV-1a, by words. */
function fingerprint(environments: Environments): number {
  const numbers = Float64Array.from(environments.flatMap(({ block, median }) => [block, median]));
  return new Uint32Array(numbers.buffer).reduce(
    (hash, word) => Math.imul(hash ^ word, 0x0100_0193) >>> 0,
    0x811c_9dc5,
  );
}
