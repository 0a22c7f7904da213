import { groupBy } from "../contract/group-by.ts";
import type { Cell, Sample } from "../contract/types/contract.ts";
import { readField } from "./collected-series.ts";

/** Kinds of versions that influence a result and may change during a run. */
type OriginKind = "runtime-version" | "sdk-version" | "cpu-model";

/** One value of a kind, among environments that are expected to share it. */
export interface Origin {
  readonly kind: OriginKind;
  /** The runtime of a runtime version, or the variant of an SDK version. */
  readonly subject?: string;
  readonly architecture: Cell["architecture"];
  readonly value: string;
  /** Number of environments that reported it. Those that report none are not counted. */
  readonly environments: number;
}

/** A run should have one value per kind; more are reported, up to this number. */
const originsHeld = 200;
const longestValue = 300;

/** Counts the environments of each distinct origin. */
export class Origins {
  readonly #origins = new Map<string, Origin>();

  /** Counts a sample. Cold ones have the runtime and SDK version, a trial's last one the CPU model, others neither. */
  add({ variant, runtime, architecture }: Cell, sample: Sample): void {
    // The environment that answered was not the one that was forced cold.
    if (sample.rejected?.reason === "boot-id-reused") return;
    const { forcedCold, cpuModel, result } = sample;
    const sdk = readField(result, "sdkVersion");
    const runtimeVersion = { kind: "runtime-version", subject: runtime, architecture } as const;
    this.#count(runtimeVersion, forcedCold?.runtimeVersionArn);
    this.#count({ kind: "sdk-version", subject: variant, architecture }, sdk);
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

  /** Returns the origins in an order that does not depend on that of the samples. */
  all(): readonly Origin[] {
    return [...this.#origins].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, origin]) => origin);
  }
}

/** Origins of environments that are expected to share one. */
interface OriginGroup {
  readonly kind: OriginKind;
  /** The name, for example `runtime version of python3.13 (arm64)`. */
  readonly name: string;
  /** The name in the plural. */
  readonly names: string;
  readonly origins: readonly Origin[];
}

const nouns: Readonly<Record<OriginKind, string>> = {
  "runtime-version": "runtime version",
  "sdk-version": "SDK version",
  "cpu-model": "CPU model",
};

export function originGroups(origins: readonly Origin[]): readonly OriginGroup[] {
  const whose = ({ subject, architecture }: Origin) =>
    `${subject === undefined ? "" : ` of ${subject}`} (${architecture})`;
  const groups = groupBy(origins, (origin) => `${nouns[origin.kind]}${whose(origin)}`);
  return [...groups].map(([name, own]) => {
    const [origin] = own;
    const names = `${nouns[origin.kind]}s${whose(origin)}`;
    return { kind: origin.kind, name, names, origins: own };
  });
}

/** Returns the value; if there are several, each with its share of the environments that report one. */
export function originText({ origins }: OriginGroup): string {
  const total = origins.reduce((sum, { environments }) => sum + environments, 0);
  const values = origins.map((origin) => {
    const share = `${((100 * origin.environments) / total).toFixed(0)}%`;
    return origins.length === 1 ? shortValue(origin) : `${shortValue(origin)} (${share})`;
  });
  return values.join("; ");
}

/** Shortens an ARN to the first digits of its hash, as for an artefact's checksum. summary.json has the whole ARN. */
function shortValue({ kind, value }: Origin): string {
  const hash = kind === "runtime-version" ? /:runtime:([0-9a-f]{12})[0-9a-f]*$/.exec(value) : null;
  return hash?.[1] ?? value;
}
