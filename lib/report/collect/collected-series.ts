import type { Sample } from "../../contract/types/contract.ts";
import type { Series } from "../../statistics/series.ts";
import { NumberColumn } from "./number-column.ts";
import type { Measured, QuantityName } from "./quantities.ts";

/** An execution environment of a cell: a visit made again after an interruption is another one. */
export interface Environment {
  readonly block: number;
  readonly attempt: number;
}

/** The samples of one cell, operation and phase that count, by environment. */
export class CollectedSeries {
  readonly environments: Environment[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #environmentOf = new NumberColumn();
  /** A quantity that no sample has takes no room. */
  readonly #columns = new Map<QuantityName, NumberColumn>();

  get n(): number {
    return this.#environmentOf.length;
  }

  add({ block, attempt }: Pick<Sample, "block" | "attempt">, measured: Measured): void {
    for (const [name, value] of Object.entries(measured)) {
      this.#columnOf(name as QuantityName).put(this.n, value);
    }
    this.#environmentOf.push(this.#indexOfEnvironment(block, attempt ?? 0));
  }

  /** A quantity's values by environment, as statistics take it. Absent values are left out. */
  series(quantity: QuantityName): Series {
    const units = this.environments.map(({ block }) => ({ block, values: [] as number[] }));
    const column = this.#columns.get(quantity);
    for (let index = 0; index < (column?.length ?? 0); index += 1) {
      const value = column?.at(index);
      if (value !== undefined) units[this.#environmentOf.at(index) ?? -1]?.values.push(value);
    }
    return { units };
  }

  /** A quantity's values over all environments. */
  values(quantity: QuantityName): readonly number[] {
    return this.#columns.get(quantity)?.present() ?? [];
  }

  /** The first value of an environment: of a cold or second series, its only one. */
  firstIn({ block, attempt }: Environment, quantity: QuantityName): number | undefined {
    const environment = this.#indexOf.get(environmentKey(block, attempt));
    for (let index = 0; index < this.n; index += 1) {
      if (this.#environmentOf.at(index) === environment) {
        return this.#columns.get(quantity)?.at(index);
      }
    }
    return undefined;
  }

  #columnOf(quantity: QuantityName): NumberColumn {
    const known = this.#columns.get(quantity);
    if (known !== undefined) return known;
    const column = new NumberColumn();
    this.#columns.set(quantity, column);
    return column;
  }

  #indexOfEnvironment(block: number, attempt: number): number {
    const key = environmentKey(block, attempt);
    const known = this.#indexOf.get(key);
    if (known !== undefined) return known;
    this.environments.push({ block, attempt });
    this.#indexOf.set(key, this.environments.length - 1);
    return this.environments.length - 1;
  }
}

function environmentKey(block: number, attempt: number): string {
  return `${block}.${attempt}`;
}
