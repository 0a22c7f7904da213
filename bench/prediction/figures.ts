import published from "../../lib/contract/published.json" with { type: "json" };
import { batchAndHashFigures } from "./batch-and-hash-figures.ts";
import {
  type LocalRuns,
  type MeasureName,
  meanOf,
  type Place,
  type PublishedFigure,
  ratio,
  read,
} from "./local-runs.ts";

/** Returns every published figure that a machine with two CPUs can predict. */
export function listPublishedFigures(): readonly PublishedFigure[] {
  return [
    ...dynamodbFigures(),
    ...firstRequestFigures(),
    ...multicoreFigures(),
    ...s3Figures(),
    ...batchAndHashFigures(),
  ];
}

const memoryMb = 128;

function dynamodbFigures(): readonly PublishedFigure[] {
  const at = (variant: string, phase: Place["phase"], operation: string): Place => ({
    experiment: "dynamodb",
    variant,
    memoryMb,
    phase,
    operation,
  });
  const { coldStartGet, warmDurationMs } = published.dynamodb;
  const warm = Object.entries(warmDurationMs).flatMap(([operation, { rust, python }]) => [
    ...Object.entries({ rust, python }).map(
      ([variant, observed]): PublishedFigure => ({
        kind: "milliseconds",
        what: `dynamodb, warm \`${operation}\`, ${variant}, 128 MB, Duration, ms`,
        observed,
        ...meanOf(at(variant, "warm", operation), "durationMs"),
      }),
    ),
    {
      kind: "variants",
      what: `dynamodb, warm \`${operation}\`, python over rust, 128 MB, Duration`,
      observed: python / rust,
      predict: (runs) =>
        ratio(
          read(runs, at("python", "warm", operation), "durationMs"),
          read(runs, at("rust", "warm", operation), "durationMs"),
        ),
    } satisfies PublishedFigure,
  ]);
  const cold = (["rust", "python"] as const).flatMap((variant): readonly PublishedFigure[] => {
    const place = at(variant, "cold", "get");
    return [
      {
        kind: "milliseconds",
        what: `dynamodb, first \`get\`, ${variant}, 128 MB, Duration, ms`,
        observed: coldStartGet[variant].firstDurationMs,
        ...meanOf(place, "durationMs"),
      },
      {
        kind: "init",
        what: `dynamodb, ${variant}, Init, ms`,
        observed: coldStartGet[variant].initDurationMs,
        ...meanOf(place, "initDurationMs"),
      },
    ];
  });
  return [...warm, ...cold, coldRatio(at)];
}

function coldRatio(
  at: (variant: string, phase: Place["phase"], operation: string) => Place,
): PublishedFigure {
  const { rust, python } = published.dynamodb.coldStartGet;
  return {
    kind: "variants",
    what: "dynamodb, first `get`, python over rust, 128 MB, Duration",
    observed: python.firstDurationMs / rust.firstDurationMs,
    predict: (runs) =>
      ratio(
        read(runs, at("python", "cold", "get"), "durationMs"),
        read(runs, at("rust", "cold", "get"), "durationMs"),
      ),
  };
}

function firstRequestFigures(): readonly PublishedFigure[] {
  const cold = (variant: string): Place => ({
    experiment: "first-request",
    variant,
    memoryMb,
    phase: "cold",
    operation: "get",
  });
  const { without, with: warmed } = published.firstRequest.warming;
  const between = (
    what: string,
    name: "firstDurationMs" | "billedDurationMs",
    measure: MeasureName,
  ) =>
    ({
      kind: "variants",
      what: `first-request, ${what}, unwarmed over warmed, 128 MB`,
      observed: without[name] / warmed[name],
      predict: (runs) =>
        ratio(read(runs, cold("unwarmed"), measure), read(runs, cold("warmed"), measure)),
    }) satisfies PublishedFigure;
  return [
    between("first Duration", "firstDurationMs", "durationMs"),
    between("Billed Duration", "billedDurationMs", "billedDurationMs"),
    ...(["unwarmed", "warmed"] as const).map(
      (variant): PublishedFigure => ({
        kind: "milliseconds",
        what: `first-request, ${variant}, first Duration, 128 MB, ms`,
        observed: (variant === "warmed" ? warmed : without).firstDurationMs,
        ...meanOf(cold(variant), "durationMs"),
      }),
    ),
  ];
}

/** Returns the figures for at most two workers, since the machine has two CPUs. */
function multicoreFigures(): readonly PublishedFigure[] {
  const warm = (size: number): Place => ({
    experiment: "multicore",
    variant: "rust",
    memoryMb: size,
    phase: "warm",
    operation: "hash",
  });
  return (["arm64", "x86_64"] as const).flatMap((architecture) => {
    const [one, two] = published.multicore[architecture];
    if (one === undefined || two === undefined) return [];
    return [
      {
        kind: "memory",
        what: `multicore, 20 hashes, ${one.memoryMb} MB over ${two.memoryMb} MB with a second worker, ${architecture}`,
        observed: one.durationMs / two.durationMs,
        predict: (runs) =>
          ratio(
            read(runs, warm(one.memoryMb), "durationMs"),
            read(runs, warm(two.memoryMb), "durationMs"),
          ),
      } satisfies PublishedFigure,
    ];
  });
}

const s3Variants = {
  "python-serial": "serialBoto3",
  "python-aioboto3": "aioboto3",
  "python-executor": "executorBoto3",
} as const;

function s3Figures(): readonly PublishedFigure[] {
  const rows = published.s3Fanout.meanDurationMs;
  const largest = rows.at(-1);
  const warm = (variant: string, size: number): Place => ({
    experiment: "s3-fanout",
    variant,
    memoryMb: size,
    phase: "warm",
    operation: "fanout",
  });
  return Object.entries(s3Variants).flatMap(([variant, name]) =>
    rows.flatMap((row): readonly PublishedFigure[] => {
      const own = (runs: LocalRuns) => read(runs, warm(variant, row.memoryMb), "durationMs");
      const figures: PublishedFigure[] = [
        {
          kind: "milliseconds",
          what: `s3-fanout, 100 calls, ${variant}, ${row.memoryMb} MB, Duration, ms`,
          observed: row[name],
          ...meanOf(warm(variant, row.memoryMb), "durationMs"),
        },
      ];
      if (largest !== undefined && row !== largest) {
        figures.push({
          kind: "memory",
          what: `s3-fanout, 100 calls, ${variant}, ${row.memoryMb} MB over ${largest.memoryMb} MB`,
          observed: row[name] / largest[name],
          predict: (runs) =>
            ratio(own(runs), read(runs, warm(variant, largest.memoryMb), "durationMs")),
        });
      }
      if (variant !== "python-serial") {
        figures.push({
          kind: "variants",
          what: `s3-fanout, 100 calls, ${variant} over python-serial, ${row.memoryMb} MB`,
          observed: row[name] / row.serialBoto3,
          predict: (runs) =>
            ratio(own(runs), read(runs, warm("python-serial", row.memoryMb), "durationMs")),
        });
      }
      return figures;
    }),
  );
}
