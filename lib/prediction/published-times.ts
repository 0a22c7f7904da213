import published from "../contract/published.json" with { type: "json" };
import benchmark from "../contract/published-2025-12.json" with { type: "json" };
import starts from "../contract/published-starts.json" with { type: "json" };
import { type Family, type FunctionKind, familyOf, type Work } from "./function-kind.ts";

/** Sources of figures. Studies by one author that share figures are one source. */
export type Source =
  | "dynamodb-studies"
  | "bcrypt-study"
  | "s3-study"
  | "cebert"
  | "lambda-perf"
  | "lambda-benchmark"
  | "runtime-benchmark";

/** The call in the study's local runs that corresponds to a published figure. */
export interface Place {
  readonly experiment: string;
  readonly variant: string;
  readonly memoryMb: number;
  readonly phase: "cold" | "warm";
  readonly operation: string;
}

/** Times published for one call: means, or the source's own statistic if it has no means. */
export interface PublishedTimes {
  readonly source: Source;
  readonly architecture: "arm64" | "x86_64";
  readonly kind: FunctionKind;
  readonly place: Place;
  readonly initMs?: number;
  readonly durationMs?: number;
  /**
   * True if no constant is fitted to the figure and no range is scored by it: the source's build omits instructions
   * that the one here uses.
   */
  readonly isApart?: true;
  /** True if Init makes the first request. Without that call's time, the figure has no counterpart. */
  readonly warmsInInit?: boolean;
}

function kindOf(family: Family, work: Work, gathersJitter = false): FunctionKind {
  return { family, work, gathersJitter };
}

/** Kelvin's default Rust build, like those of the sources, uses the SDK's default, aws-lc. */
const sdkKinds = {
  rust: kindOf("native", "service", true),
  python: kindOf("python", "service"),
} as const;

type Language = keyof typeof sdkKinds;
const languages: readonly Language[] = ["rust", "python"];

/** Returns the times of the DynamoDB study, and of the same author's studies of first requests and of computation. */
function studyTimes(): readonly PublishedTimes[] {
  const source = "dynamodb-studies";
  const architecture = "arm64";
  const { coldStartGet, warmDurationMs } = published.dynamodb;
  const at = (variant: string, phase: Place["phase"], operation: string, experiment: string) => ({
    ...{ experiment, variant, memoryMb: 128, phase, operation },
  });
  const cold = languages.map((language): PublishedTimes => {
    const { initDurationMs, firstDurationMs } = coldStartGet[language];
    return {
      ...{ source, architecture, kind: sdkKinds[language] },
      place: at(language, "cold", "get", "dynamodb"),
      ...{ initMs: initDurationMs, durationMs: firstDurationMs },
    };
  });
  const warm = Object.entries(warmDurationMs).flatMap(([operation, times]) =>
    languages.map(
      (language): PublishedTimes => ({
        ...{ source, architecture, kind: sdkKinds[language] },
        place: at(language, "warm", operation, "dynamodb"),
        durationMs: times[language],
      }),
    ),
  );
  const warmed = published.firstRequest.warming.with;
  return [
    ...cold,
    ...warm,
    {
      ...{ source, architecture, kind: sdkKinds.rust },
      place: at("warmed", "cold", "get", "first-request"),
      ...{ initMs: warmed.initDurationMs, durationMs: warmed.firstDurationMs, warmsInInit: true },
    },
    {
      ...{ source, architecture, kind: kindOf("native", "compute") },
      place: at("rust", "cold", "noop", "compute"),
      initMs: published.compute.rustInitDurationMs,
    },
  ];
}

/** Returns times with one worker: more workers than the machine has CPUs cannot be measured here. */
function bcryptTimes(): readonly PublishedTimes[] {
  return (["arm64", "x86_64"] as const).flatMap((architecture): readonly PublishedTimes[] => {
    const [one] = published.multicore[architecture];
    if (one === undefined) return [];
    const shared = {
      source: "bcrypt-study",
      architecture,
      kind: kindOf("native", "compute"),
    } as const;
    const place = {
      experiment: "multicore",
      variant: "rust",
      memoryMb: one.memoryMb,
      operation: "hash",
    };
    const [low = Number.NaN, high = Number.NaN] = published.multicore.initDurationMs[architecture];
    return [
      { ...shared, place: { ...place, phase: "cold" }, initMs: (low + high) / 2 },
      { ...shared, place: { ...place, phase: "warm" }, durationMs: one.durationMs },
    ];
  });
}

const s3Variants = {
  "python-serial": "serialBoto3",
  "python-aioboto3": "aioboto3",
  "python-executor": "executorBoto3",
} as const;

function s3Times(): readonly PublishedTimes[] {
  return Object.entries(s3Variants).flatMap(([variant, name]) =>
    published.s3Fanout.meanDurationMs.map(
      (row): PublishedTimes => ({
        ...{ source: "s3-study", architecture: "x86_64", kind: kindOf("python", "fan-out") },
        place: {
          ...{ experiment: "s3-fanout", variant, memoryMb: row.memoryMb },
          ...{ phase: "warm", operation: "fanout" },
        },
        durationMs: row[name],
      }),
    ),
  );
}

const workloads: Readonly<Record<string, { experiment: string; operation: string; work: Work }>> = {
  light: { experiment: "dynamodb-batch", operation: "batch_write_get", work: "service" },
  "cpu-intensive": { experiment: "sha256", operation: "sha256_chain", work: "compute" },
};

/** Returns cebert's times: both architectures, six sizes. */
function benchmarkTimes(): readonly PublishedTimes[] {
  return benchmark.rows.flatMap((row): readonly PublishedTimes[] => {
    const workload = workloads[row.workload];
    if (workload === undefined) return [];
    const { work, ...of } = workload;
    const language = row.runtime === "rust" ? "rust" : "python";
    const architecture = row.architecture as PublishedTimes["architecture"];
    const kind = work === "service" ? sdkKinds[language] : kindOf(sdkKinds[language].family, work);
    const phase = row.phase as Place["phase"];
    const { initMs, durationMs } = row;
    const isApart = work === "compute" && language === "rust" && architecture === "x86_64";
    const init = initMs === undefined ? {} : { initMs };
    const duration = durationMs === undefined ? {} : { durationMs };
    const shared = {
      ...{ source: "cebert" as const, architecture, kind },
      place: { ...of, variant: language, memoryMb: row.memoryMb, phase },
    };
    if (!isApart) return [{ ...shared, ...init, ...duration }];
    return [
      { ...shared, ...init },
      { ...shared, ...duration, isApart },
    ];
  });
}

const emptyFunctions: Readonly<
  Record<string, Pick<Place, "experiment" | "variant" | "operation"> & { family: Family }>
> = {
  "rust (prov.al2023)": { ...noopIn("rust"), family: "native" },
  "python3.13": { ...noopIn("python"), family: "python" },
  "nodejs24.x": { experiment: "hello", operation: "hello", variant: "node", family: "node" },
};

function noopIn(variant: string) {
  return { experiment: "compute", operation: "noop", variant };
}

/** Returns lambda-perf's Inits of functions that only return a greeting, deployed as zips. */
function emptyFunctionTimes(): readonly PublishedTimes[] {
  return startsOf("lambda-perf").flatMap((row): readonly PublishedTimes[] => {
    const known = emptyFunctions[row.runtime];
    if (known === undefined || row.package !== "zip" || typeof row.initMs !== "object") return [];
    const { family, ...at } = known;
    return [
      {
        source: "lambda-perf",
        architecture: row.architecture as PublishedTimes["architecture"],
        kind: kindOf(family, "compute"),
        place: { ...at, memoryMb: row.memoryMb, phase: "cold" },
        initMs: row.initMs.mean,
      },
    ];
  });
}

const ported = {
  "lambda-benchmark": { experiment: "validated-put", operation: "store" },
  "runtime-benchmark": { experiment: "put-item", operation: "put" },
} as const;

/** Returns times of two sources whose functions are ported for the study: they put one item, or five validated ones. */
function writeTimes(): readonly PublishedTimes[] {
  return (["lambda-benchmark", "runtime-benchmark"] as const).flatMap((source) =>
    startsOf(source).flatMap((row): readonly PublishedTimes[] => {
      const family = familyOf(row.runtime);
      if (family === undefined) return [];
      const shared = {
        ...{ source, architecture: "arm64" as const },
        kind: kindOf(family, "service", family === "native"),
      };
      const variant = family === "native" ? "rust" : family;
      const at = { ...ported[source], variant, memoryMb: row.memoryMb };
      const { warmBilledMeanMs } = row;
      const cold = { ...shared, place: { ...at, phase: "cold" as const }, ...startTimes(row) };
      if (warmBilledMeanMs === undefined) return [cold];
      const durationMs = warmBilledMeanMs - meanRoundingMs;
      return [cold, { ...shared, place: { ...at, phase: "warm" }, durationMs }];
    }),
  );
}

/** Mean rounding of a Billed Duration, which is rounded up to a millisecond: https://aws.amazon.com/lambda/pricing/ */
const meanRoundingMs = 0.5;

interface StartRow {
  readonly runtime: string;
  readonly architecture: string;
  readonly memoryMb: number;
  readonly package?: string;
  readonly initMs?: number | { readonly mean: number };
  readonly initMeanMs?: number;
  readonly firstDurationMs?: number;
  /** Billed Duration of a first call, rounded up to a millisecond. */
  readonly firstBilledMeanMs?: number;
  readonly firstBilledContainsInit?: boolean;
  /** Billed Duration of warm calls, rounded up to a millisecond. */
  readonly warmBilledMeanMs?: number;
}

function startsOf(id: Source): readonly StartRow[] {
  return (starts.sources.find((source) => source.id === id)?.rows ?? []) as readonly StartRow[];
}

/** Returns the times of a cold start. A Billed Duration contains Init if the source's notes say so. */
function startTimes(row: StartRow): { readonly initMs?: number; readonly durationMs?: number } {
  const initMs = row.initMeanMs ?? (typeof row.initMs === "number" ? row.initMs : undefined);
  if (initMs === undefined) return {};
  const billedMs = (row.firstBilledMeanMs ?? Number.NaN) - meanRoundingMs;
  const ofBilled = row.firstBilledContainsInit === true ? billedMs - initMs : billedMs;
  return { initMs, durationMs: row.firstDurationMs ?? ofBilled };
}

/** Every published time with a counterpart in a local run on a machine with two CPUs. */
export const publishedTimes: readonly PublishedTimes[] = [
  ...studyTimes(),
  ...bcryptTimes(),
  ...s3Times(),
  ...benchmarkTimes(),
  ...emptyFunctionTimes(),
  ...writeTimes(),
];
