import type { PredictionStudy } from "../../lib/analysis/prediction.ts";
import published from "../../lib/contract/published-afterwards.json" with { type: "json" };
import type { LocalCall } from "../../lib/prediction/local-times.ts";
import { atStudySpeed, slownessOf } from "../../lib/prediction/machine-speed.ts";
import { publishedTimes } from "../../lib/prediction/published-times.ts";
import type { Model } from "../../lib/prediction/ranges.ts";
import { timeRange } from "../../lib/prediction/ranges.ts";
import type { LambdaRange } from "../../lib/prediction/spread.ts";
import { localCall, type StudySeries } from "../../lib/prediction/study-calls.ts";

interface Counterpart {
  readonly experiment: string;
  readonly variant: string;
  readonly operation: string;
  /** The functions that the counterpart stands for, as a score's row names them. */
  readonly group: string;
  /** True if the call returns at once: the nearest measured size then stands for any other. */
  readonly returnsAtOnce?: true;
}

const noop = { experiment: "compute", operation: "noop", returnsAtOnce: true } as const;
const hello = { experiment: "hello", operation: "hello", returnsAtOnce: true } as const;
const dynamodb = { experiment: "dynamodb", variant: "rust" } as const;

/** The study's local calls that found figures are compared with. */
const counterparts = {
  "empty-rust": { ...noop, variant: "rust", group: "Rust without an SDK" },
  "empty-python": { ...noop, variant: "python", group: "Python without an SDK" },
  "empty-node": { ...hello, variant: "node", group: "Node.js without an SDK" },
  "get-rust": { ...dynamodb, operation: "get", group: "Rust with DynamoDB" },
  "put-rust": { ...dynamodb, operation: "put", group: "Rust with DynamoDB" },
  "warmed-rust": {
    experiment: "first-request",
    variant: "warmed",
    operation: "get",
    group: "Rust with a request in Init",
  },
  "put-node": {
    experiment: "put-item",
    variant: "node",
    operation: "put",
    group: "Node.js with DynamoDB",
  },
} satisfies Readonly<Record<string, Counterpart>>;

const quantities = ["init", "first", "warm"] as const;

/** A figure of lib/contract/published-afterwards.json. */
export interface FoundFigure {
  readonly function: string;
  readonly quantity: (typeof quantities)[number];
  /** One value, or the lowest and the highest. */
  readonly publishedMs: readonly number[];
  readonly statistic: string;
  readonly n?: number;
  readonly memoryMb?: number;
  readonly architecture?: string;
  /** Unpacked size of a native function's binary. */
  readonly binaryMb?: number;
  readonly like?: keyof typeof counterparts;
  /** What the function does that its counterpart does not. */
  readonly differs?: string;
  /** Reason that the figure has no counterpart. */
  readonly without?: string;
}

export interface FoundSource {
  readonly author: string;
  readonly address: string;
  readonly measured: string;
  readonly figures: readonly FoundFigure[];
}

/** Returns the sources. Throws Error for a figure that has a counterpart and a reason for having none, or neither. */
export function readFound(sources: readonly object[] = published.sources): readonly FoundSource[] {
  const found = sources as readonly FoundSource[];
  for (const { author, figures } of found) {
    for (const each of figures) {
      const fault = faultOf(each);
      if (fault !== undefined) throw new Error(`${author}, ${each.function}: ${fault}`);
    }
  }
  return found;
}

function faultOf({ quantity, publishedMs, like, without, memoryMb }: FoundFigure) {
  const [low = Number.NaN, high = low] = publishedMs;
  if (!(low > 0 && low <= high)) return "expected a time, or the lowest and the highest";
  if (!quantities.includes(quantity)) return `no quantity is named ${quantity}`;
  if ((like === undefined) === (without === undefined)) {
    return "expected either a counterpart or a reason for having none";
  }
  if (like !== undefined && !(like in counterparts)) return `no counterpart is named ${like}`;
  if (like !== undefined && quantity !== "init" && memoryMb === undefined) {
    return "a Duration without a memory size has no counterpart";
  }
  return undefined;
}

/** A found figure with the range that a report would give its counterpart. */
export interface ScoredFigure {
  readonly source: FoundSource;
  readonly figure: FoundFigure;
  readonly group: string;
  /** The local call that the range was computed from. */
  readonly here: { readonly what: string; readonly machine: string };
  /** Without the spread of the local run. */
  readonly range: LambdaRange;
  /** True if every published value lies within the range. */
  readonly isWithin: boolean;
  /** Ratio of the published value to the expected one; of two values, their geometric mean counts. */
  readonly ratio: number;
}

type Study = Pick<PredictionStudy, "machine" | "speed" | "series">;

/** Returns every figure that has a counterpart, with its range. Throws Error if the study lacks the counterpart. */
export function scoreFound(
  sources: readonly FoundSource[],
  studies: readonly Study[],
  model: Model,
): readonly ScoredFigure[] {
  return sources.flatMap((source) =>
    source.figures.flatMap((figure) => {
      if (figure.like === undefined) return [];
      const { group } = counterparts[figure.like];
      // The last machine that measured the call: its runs had the newest simulation.
      const [here] = studies.toReversed().flatMap((study) => callHere(figure, study) ?? []);
      const range = here && timeRange(here.call, figure.quantity, 0, model);
      if (here === undefined || range === undefined) {
        throw new Error(`${source.author}, ${figure.function}: the study has no ${figure.like}`);
      }
      const { what, machine } = here;
      return [{ source, figure, group, here: { what, machine }, range, ...scoreOf(figure, range) }];
    }),
  );
}

function scoreOf({ publishedMs }: FoundFigure, { low, high, expected }: LambdaRange) {
  const logs = publishedMs.map((ms) => Math.log(ms / expected));
  return {
    isWithin: publishedMs.every((ms) => ms >= low && ms <= high),
    ratio: Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length),
  };
}

/** Returns the counterpart as the study's first machine would have measured it; undefined if this machine did not. */
function callHere(
  figure: FoundFigure,
  { machine, speed, series = [] }: Study,
): { readonly call: LocalCall; readonly what: string; readonly machine: string } | undefined {
  const { experiment, variant, operation }: Counterpart =
    counterparts[figure.like as keyof typeof counterparts];
  const phase = figure.quantity === "warm" ? "warm" : "cold";
  const isSameCall = (each: Omit<StudySeries, "means">) =>
    each.experiment === experiment &&
    each.variant === variant &&
    each.operation === operation &&
    each.phase === phase;
  const known = publishedTimes.find(({ place }) => isSameCall(place));
  const own = (series as readonly StudySeries[]).filter(isSameCall);
  const memoryMb = sizeHere(figure, own);
  if (known === undefined || memoryMb === undefined) return undefined;
  const { durationMs: _, initMs: __, ...shared } = known;
  const duration = figure.quantity === "init" ? {} : { durationMs: figure.publishedMs[0] ?? 0 };
  const times = { ...shared, place: { ...known.place, memoryMb }, ...duration };
  const local = localCall(times, series as readonly StudySeries[]);
  if (local === undefined) return undefined;
  const { binaryMb } = figure;
  const call = { ...local, ...(binaryMb !== undefined && { artefactMb: binaryMb }) };
  const what = `${experiment} \`${operation}\`, ${variant}`;
  const size = figure.quantity === "init" ? "" : `, ${memoryMb} MB`;
  return {
    ...{ call: atStudySpeed(call, slownessOf(speed, call.kind)), machine },
    what: `${what}${size}`,
  };
}

/** Returns the measured size that stands for the published one. Init has no quota, so any size stands for it. */
function sizeHere(
  { quantity, memoryMb, like }: FoundFigure,
  measured: readonly StudySeries[],
): number | undefined {
  const sizes = measured
    .filter(({ means }) => quantity === "init" || means.durationMs !== undefined)
    .map((each) => each.memoryMb);
  const { returnsAtOnce }: Counterpart = counterparts[like as keyof typeof counterparts];
  if (memoryMb === undefined) return sizes[0];
  if (quantity !== "init" && returnsAtOnce !== true) return sizes.find((mb) => mb === memoryMb);
  const distance = (mb: number) => Math.abs(Math.log(mb / memoryMb));
  return sizes.toSorted((a, b) => distance(a) - distance(b))[0];
}
