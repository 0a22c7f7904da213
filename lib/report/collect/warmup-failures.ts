import { fieldOf } from "./result-fields.ts";

/** Calls made in Init to warm a client that failed: how often, by cell and the failure's class. */
export interface WarmupFailure {
  readonly cellId: string;
  readonly type: string;
  readonly count: number;
}

/** Kinds of failure that are told apart; the rest is counted together, so that memory stays bounded. */
const kindsHeld = 200;
const longestType = 80;
const other = "other";

/** The failures among a run's new processes. */
export class WarmupFailures {
  readonly #failures = new Map<string, WarmupFailure>();

  /** Of a process's first invocation: its later ones tell the same again. */
  add(cellId: string, result: unknown): void {
    const error = fieldOf(result, "warmupError");
    if (error === undefined) return;
    const named = typeof error === "string" && error !== "" ? error.slice(0, longestType) : other;
    const isNew = !this.#failures.has(keyOf(cellId, named));
    const type = isNew && this.#failures.size >= kindsHeld ? other : named;
    const count = (this.#failures.get(keyOf(cellId, type))?.count ?? 0) + 1;
    this.#failures.set(keyOf(cellId, type), { cellId, type, count });
  }

  /** In an order that does not depend on the samples'. */
  all(): readonly WarmupFailure[] {
    return [...this.#failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, failure]) => failure);
  }
}

function keyOf(cellId: string, type: string): string {
  return JSON.stringify([cellId, type]);
}
