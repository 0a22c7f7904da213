/** Numbers by index, held in 8 bytes each; an absent one is held as NaN. */
export class NumberColumn {
  #values = new Float64Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number | undefined): void {
    this.put(this.#length, value);
  }

  /** Puts a number at an index at or behind the end; what lies between is absent. */
  put(index: number, value: number | undefined): void {
    if (index >= this.#values.length) {
      const larger = new Float64Array(Math.max(index + 1, this.#values.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values.fill(Number.NaN, this.#length, index);
    this.#values[index] = value ?? Number.NaN;
    this.#length = index + 1;
  }

  /** The number at the index, undefined where it is absent. */
  at(index: number): number | undefined {
    const value = index < this.#length ? this.#values[index] : undefined;
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }

  /** What is present, in the order of arrival. */
  present(): number[] {
    return Array.from(this.#values.subarray(0, this.#length)).filter(
      (value) => !Number.isNaN(value),
    );
  }
}
