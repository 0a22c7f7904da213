import type { Cell } from "../../contract/types/contract.ts";
import { fieldOf } from "./result-fields.ts";

/** What a process says that it is. What it does not say is absent. */
export interface BuildRecord {
  readonly variant: string;
  readonly architecture: Cell["architecture"];
  readonly profile?: string;
  readonly cryptoProvider?: string;
  readonly entropy?: string;
  readonly trustStore?: string;
  readonly binaryBytes?: number;
  /** Processes that said exactly this. */
  readonly processes: number;
}

const textFields = ["profile", "cryptoProvider", "entropy", "trustStore"] as const;

/** One build a variant is what a run should have; more of them are told, but not without end. */
const recordsHeld = 200;
const longestText = 80;

/** The different builds that answered, each counted. */
export class BuildRecords {
  readonly #records = new Map<string, BuildRecord>();

  add({ variant, architecture }: Cell, result: unknown): void {
    const build = fieldOf(result, "build");
    if (typeof build !== "object" || build === null) return;
    const record = { variant, architecture, ...fieldsOf(build) };
    const key = JSON.stringify(record);
    const known = this.#records.get(key);
    if (known === undefined && this.#records.size >= recordsHeld) return;
    this.#records.set(key, { ...record, processes: (known?.processes ?? 0) + 1 });
  }

  /** In an order that does not depend on the samples'. */
  all(): readonly BuildRecord[] {
    return [...this.#records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  }
}

function fieldsOf(build: object): Omit<BuildRecord, "variant" | "architecture" | "processes"> {
  const texts = textFields.flatMap((name) => {
    const text = fieldOf(build, name);
    return typeof text === "string" && text !== "" ? [[name, text.slice(0, longestText)]] : [];
  });
  const bytes = fieldOf(build, "binaryBytes");
  const isBytes = typeof bytes === "number" && Number.isSafeInteger(bytes) && bytes > 0;
  return { ...Object.fromEntries(texts), ...(isBytes && { binaryBytes: bytes }) };
}
