import published from "../../lib/contract/published.json" with { type: "json" };
import { batchAndHashFigures } from "./batch-and-hash-figures.ts";
import {
  type MeasureName,
  meanOf,
  type Place,
  type PublishedFigure,
  ratioOf,
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
  const { rust, python } = published.dynamodb.coldStartGet;
  return [
    ...Object.entries(published.dynamodb.warmDurationMs).flatMap(warmFigures),
    ...coldFigures("rust"),
    ...coldFigures("python"),
    {
      kind: "variants",
      what: "dynamodb, first `get`, python over rust, 128 MB, Duration",
      observed: python.firstDurationMs / rust.firstDurationMs,
      ...ratioOf(inDynamodb("python", "cold", "get"), inDynamodb("rust", "cold", "get")),
    },
  ];
}

function inDynamodb(variant: string, phase: Place["phase"], operation: string): Place {
  return { experiment: "dynamodb", variant, memoryMb, phase, operation };
}

function warmFigures([operation, { rust, python }]: readonly [
  string,
  { readonly rust: number; readonly python: number },
]): readonly PublishedFigure[] {
  const warm = (variant: string) => inDynamodb(variant, "warm", operation);
  return [
    ...Object.entries({ rust, python }).map(
      ([variant, observed]): PublishedFigure => ({
        kind: "milliseconds",
        what: `dynamodb, warm \`${operation}\`, ${variant}, 128 MB, Duration, ms`,
        observed,
        ...meanOf(warm(variant), "durationMs"),
      }),
    ),
    {
      kind: "variants",
      what: `dynamodb, warm \`${operation}\`, python over rust, 128 MB, Duration`,
      observed: python / rust,
      ...ratioOf(warm("python"), warm("rust")),
    },
  ];
}

function coldFigures(variant: "rust" | "python"): readonly PublishedFigure[] {
  const { firstDurationMs, initDurationMs } = published.dynamodb.coldStartGet[variant];
  const place = inDynamodb(variant, "cold", "get");
  return [
    {
      kind: "milliseconds",
      what: `dynamodb, first \`get\`, ${variant}, 128 MB, Duration, ms`,
      observed: firstDurationMs,
      ...meanOf(place, "durationMs"),
    },
    {
      kind: "init",
      what: `dynamodb, ${variant}, Init, ms`,
      observed: initDurationMs,
      ...meanOf(place, "initDurationMs"),
    },
  ];
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
      ...ratioOf(cold("unwarmed"), cold("warmed"), measure),
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
        ...ratioOf(warm(one.memoryMb), warm(two.memoryMb)),
      } satisfies PublishedFigure,
    ];
  });
}

const s3Variants = {
  "python-serial": "serialBoto3",
  "python-aioboto3": "aioboto3",
  "python-executor": "executorBoto3",
} as const;

type S3Variant = keyof typeof s3Variants;
type S3Row = (typeof published.s3Fanout.meanDurationMs)[number];

function s3Figures(): readonly PublishedFigure[] {
  const rows = published.s3Fanout.meanDurationMs;
  const largest = rows.at(-1);
  return (Object.keys(s3Variants) as S3Variant[]).flatMap((variant) =>
    rows.flatMap((row): readonly PublishedFigure[] => [
      {
        kind: "milliseconds",
        what: `s3-fanout, 100 calls, ${variant}, ${row.memoryMb} MB, Duration, ms`,
        observed: row[s3Variants[variant]],
        ...meanOf(inS3Fanout(variant, row), "durationMs"),
      },
      ...(largest === undefined || row === largest ? [] : [s3MemoryRatio(variant, row, largest)]),
      ...(variant === "python-serial" ? [] : [s3VariantRatio(variant, row)]),
    ]),
  );
}

function inS3Fanout(variant: S3Variant, { memoryMb: size }: S3Row): Place {
  const series = { phase: "warm", operation: "fanout" } as const;
  return { experiment: "s3-fanout", variant, memoryMb: size, ...series };
}

function s3MemoryRatio(variant: S3Variant, row: S3Row, largest: S3Row): PublishedFigure {
  const name = s3Variants[variant];
  return {
    kind: "memory",
    what: `s3-fanout, 100 calls, ${variant}, ${row.memoryMb} MB over ${largest.memoryMb} MB`,
    observed: row[name] / largest[name],
    ...ratioOf(inS3Fanout(variant, row), inS3Fanout(variant, largest)),
  };
}

function s3VariantRatio(variant: S3Variant, row: S3Row): PublishedFigure {
  return {
    kind: "variants",
    what: `s3-fanout, 100 calls, ${variant} over python-serial, ${row.memoryMb} MB`,
    observed: row[s3Variants[variant]] / row.serialBoto3,
    ...ratioOf(inS3Fanout(variant, row), inS3Fanout("python-serial", row)),
  };
}
