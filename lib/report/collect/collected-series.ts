import type { Sample } from "../../contract/types/contract.ts";
import type { Series } from "../../statistics/series.ts";
import { NumberColumn } from "./number-column.ts";
import { type Quantity, quantities, quantitiesOf } from "./quantities.ts";

/** An execution environment of a cell: a visit made again after an interruption is another one. */
export interface Environment {
  readonly block: number;
  readonly attempt: number;
}

/** The kept samples of one cell, operation and phase, by environment. */
export class CollectedSeries {
  readonly environments: Environment[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #environmentOf = new NumberColumn();
  readonly #columns = new Map<Quantity, NumberColumn>();

  get n(): number {
    return this.#environmentOf.length;
  }

  add(sample: Sample): void {
    const measured = quantitiesOf(sample);
    for (const quantity of quantities) this.#column(quantity).push(measured[quantity]);
    this.#environmentOf.push(this.#indexOfEnvironment(sample.block, sample.attempt ?? 0));
  }

  /** A quantity's values by environment, as statistics take it. Absent values are left out. */
  series(quantity: Quantity): Series {
    const units = this.environments.map(({ block }) => ({ block, values: [] as number[] }));
    const column = this.#column(quantity);
    for (let index = 0; index < this.n; index += 1) {
      const value = column.at(index);
      if (value !== undefined) units[this.#environmentOf.at(index) ?? -1]?.values.push(value);
    }
    return { units };
  }

  /** A quantity's values over all environments. */
  values(quantity: Quantity): readonly number[] {
    return this.#column(quantity).present();
  }

  /** The first value of an environment: of a cold or second series, its only one. */
  firstIn({ block, attempt }: Environment, quantity: Quantity): number | undefined {
    const environment = this.#indexOf.get(environmentKey(block, attempt));
    for (let index = 0; index < this.n; index += 1) {
      if (this.#environmentOf.at(index) === environment) return this.#column(quantity).at(index);
    }
    return undefined;
  }

  #column(quantity: Quantity): NumberColumn {
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
