import type { Cell, Sample } from "../contract/types/contract.ts";
import { readField } from "./collected-series.ts";

/** What a number comes from that may change while a run goes on. */
type OriginKind = "runtime-version" | "sdk-version" | "cpu-model";

/** One value of it, among environments that can be expected to have the same. */
export interface Origin {
  readonly kind: OriginKind;
  /** Whose: of a runtime version the runtime, of an SDK version the variant. */
  readonly of?: string;
  readonly architecture: Cell["architecture"];
  readonly value: string;
  /** Execution environments that had it. Those that do not say are in none. */
  readonly environments: number;
}

/** One value each is what a run should have; more of them are told, but not without end. */
const originsHeld = 200;
const longestValue = 300;

/** The different origins of the environments, each counted. */
export class Origins {
  readonly #origins = new Map<string, Origin>();

  /** A cold sample tells runtime and SDK, the last one of a trial the CPU; the others nothing. */
  add({ variant, runtime, architecture }: Cell, sample: Sample): void {
    // The one that answered was not the one that was forced cold.
    if (sample.rejected?.reason === "boot-id-reused") return;
    const { forcedCold, cpuModel, result } = sample;
    const sdk = readField(result, "sdkVersion");
    const runtimeVersion = { kind: "runtime-version", of: runtime, architecture } as const;
    this.#count(runtimeVersion, forcedCold?.runtimeVersionArn);
    this.#count({ kind: "sdk-version", of: variant, architecture }, sdk);
    this.#count({ kind: "cpu-model", architecture }, cpuModel);
  }

  #count(whose: Omit<Origin, "value" | "environments">, found: unknown): void {
    if (typeof found !== "string" || found === "") return;
    const origin = { ...whose, value: found.slice(0, longestValue) };
    const key = JSON.stringify(Object.values(origin));
    const known = this.#origins.get(key);
    if (known === undefined && this.#origins.size >= originsHeld) return;
    this.#origins.set(key, { ...origin, environments: (known?.environments ?? 0) + 1 });
  }

  /** In an order that does not depend on the samples'. */
  all(): readonly Origin[] {
    return [...this.#origins].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, origin]) => origin);
  }
}

/** The origins of environments that can be expected to have the same. */
interface OriginGroup {
  readonly kind: OriginKind;
  /** For example `runtime version of python3.13 (arm64)`. */
  readonly name: string;
  /** The same in the plural. */
  readonly names: string;
  readonly origins: readonly Origin[];
}

const nouns: Readonly<Record<OriginKind, string>> = {
  "runtime-version": "runtime version",
  "sdk-version": "SDK version",
  "cpu-model": "CPU model",
};

export function originGroups(origins: readonly Origin[]): readonly OriginGroup[] {
  const whose = ({ of, architecture }: Origin) =>
    `${of === undefined ? "" : ` of ${of}`} (${architecture})`;
  const groups = new Map<string, OriginGroup>();
  for (const origin of origins) {
    const { kind } = origin;
    const name = `${nouns[kind]}${whose(origin)}`;
    const before = groups.get(name)?.origins ?? [];
    const names = `${nouns[kind]}s${whose(origin)}`;
    groups.set(name, { kind, name, names, origins: [...before, origin] });
  }
  return [...groups.values()];
}

/** The one value; of more each with its share of the environments that say it. */
export function originText({ origins }: OriginGroup): string {
  const total = origins.reduce((sum, { environments }) => sum + environments, 0);
  const values = origins.map((origin) => {
    const share = `${((100 * origin.environments) / total).toFixed(0)} %`;
    return origins.length === 1 ? shortValue(origin) : `${shortValue(origin)} (${share})`;
  });
  return values.join("; ");
}

/** Of an ARN the first digits of its hash, as of an artefact's checksum; summary.json has all of it. */
function shortValue({ kind, value }: Origin): string {
  const hash = kind === "runtime-version" ? /:runtime:([0-9a-f]{12})[0-9a-f]*$/.exec(value) : null;
  return hash?.[1] ?? value;
}
