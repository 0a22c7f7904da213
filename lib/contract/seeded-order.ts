/** The largest seed: seeds are whole numbers of 32 bits. */
export const largestSeed = 0xffff_ffff;

/**
 * Pseudo-random numbers: the same seed gives the same numbers on every machine.
 *
 * The generator is xoshiro128** 1.1 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
 * 47(4), 2021; prng.di.unimi.it). Its state is initialised from the seed by SplitMix (Steele, Lea and Flood, OOPSLA
 * 2014) in 32 bits, with MurmurHash3's finaliser, which is a bijection, so that the four words are never all zero.
 */
export class SeededRandom {
  readonly #state: Uint32Array;

  /** @param seed a whole number from 0 to 4294967295; throws RangeError otherwise */
  constructor(seed: number) {
    if (!Number.isInteger(seed) || seed < 0 || seed > largestSeed) {
      throw new RangeError(`seed: found ${seed}; allowed: a whole number from 0 to ${largestSeed}`);
    }
    this.#state = Uint32Array.from([1, 2, 3, 4], (step) => mix32(seed + step * 0x9e37_79b9));
  }

  /** Returns a whole number from 0 to 4294967295. */
  nextUint32(): number {
    const state = this.#state;
    const s1 = state[1] as number;
    const result = Math.imul(rotatedLeft(Math.imul(s1, 5), 7), 9) >>> 0;
    const s2 = (state[2] as number) ^ (state[0] as number);
    const s3 = (state[3] as number) ^ s1;
    state[1] = s1 ^ s2;
    state[0] = (state[0] as number) ^ s3;
    state[2] = s2 ^ (s1 << 9);
    state[3] = rotatedLeft(s3, 11);
    return result;
  }

  /**
   * Returns a whole number from 0 to n - 1, all equally likely. A draw from the part of the 32-bit range that n does
   * not divide is repeated, because the remainder alone would favour small numbers (Lemire, "Fast random integer
   * generation in an interval", ACM TOMACS 29(1), 2019).
   * @param n a whole number from 1 to 2097152, so that the product is exact in a double; throws RangeError otherwise
   */
  below(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 0x20_0000) {
      throw new RangeError(`n: found ${n}; allowed: a whole number from 1 to 2097152`);
    }
    let product = this.nextUint32() * n;
    if (product >>> 0 < n) {
      const unequal = 0x1_0000_0000 % n;
      while (product >>> 0 < unequal) product = this.nextUint32() * n;
    }
    return Math.floor(product / 0x1_0000_0000);
  }

  /** Returns the items in a random order, all orders equally likely (Fisher-Yates); does not change the given array. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const chosen = this.below(last + 1);
      const held = order[last] as Item;
      order[last] = order[chosen] as Item;
      order[chosen] = held;
    }
    return order;
  }
}

function rotatedLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mix32(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
