import type { PublishedSeries, PublishedSource } from "../../analysis/published.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { seriesIn } from "../../analysis/select.ts";
import type { Phase } from "../../analysis/series-view.ts";
import published from "../../contract/published.json" with { type: "json" };
import { paragraph, strong, type Text } from "../../report/document/document.ts";
import { count, number } from "../../report/document/format.ts";
import type { ExperimentReport } from "../../report/experiment-report.ts";
import { joined } from "../../report/first-screen/sentences.ts";
import { publishedPlace, publishedRatio } from "../../report/section/columns.ts";
import { leadSection } from "../../report/section/lead.ts";

const { dynamodb, compute, firstRequest } = published;
type Operation = keyof typeof dynamodb.warmDurationMs;
type Published = "rust" | "python";

/** Lead of Rust over Python without any SDK, by the same source. */
const leadWithoutSdk = compute.pythonToRustDurationRatio;

const publishedDynamodb: PublishedSource = {
  source: dynamodb.source,
  conditions: dynamodb.conditions,
  baselineVariant: "rust",
  packages: [
    {
      variant: "rust",
      packageMb: dynamodb.rustPackageMb.withSdk,
      remark: `${dynamodb.rustPackageMb.withoutSdk} without the SDK`,
    },
  ],
  seriesOf: findPublishedSeries,
};

function findPublishedSeries(
  variant: string,
  operation: string,
  phase: Phase,
): PublishedSeries | undefined {
  if (variant !== "rust" && variant !== "python") return undefined;
  if (phase === "warm") return warm(variant, operation);
  if (operation !== "get") return undefined;
  return phase === "cold" ? cold(variant) : second(variant);
}

function cold(variant: Published): PublishedSeries {
  const { firstDurationMs, ...rest } = dynamodb.coldStartGet[variant];
  return { ...rest, durationMs: firstDurationMs };
}

function second(variant: Published): PublishedSeries | undefined {
  if (variant !== "rust") return undefined;
  const durationRunsMs = dynamodb.coldStartGetRustRuns.flatMap((run) =>
    run.secondDurationMs === undefined ? [] : [run.secondDurationMs],
  );
  return { durationRunsMs };
}

function warm(variant: Published, operation: string): PublishedSeries | undefined {
  if (!Object.hasOwn(dynamodb.warmDurationMs, operation)) return undefined;
  const duration = dynamodb.warmDurationMs[operation as Operation];
  const sdkCall = dynamodb.warmSdkCallMs[operation as Operation];
  return {
    durationMs: duration[variant],
    sdkCallMs: sdkCall[variant],
    ...(variant === "python" && { durationRatio: duration.ratio, sdkCallRatio: sdkCall.ratio }),
  };
}

/** The report of `dynamodb`: how the lead changes with memory, and what the source found. */
export const dynamodbReport: ExperimentReport = {
  metrics: [],
  metricsOf: () => ({}),
  published: publishedDynamodb,
  part: () => ({
    evidence: (view) => {
      const published = publishedLead(view);
      return published === undefined ? [] : [paragraph(published)];
    },
    caution: coldCaution,
    sections: leadSection,
    limits: [
      "One item shape and four operations of one service: the ratio differs for other work.",
    ],
  }),
};

/**
 * A local run has the default build start sooner than it does on Lambda, where aws-lc's start takes nearly
 * twice as long (docs/prediction.md), and compares first requests without the Init that the tuned build
 * prepares them in.
 */
function coldCaution({ plan }: ReportView): string | undefined {
  const { memoryMb } = dynamodb.conditions;
  const { rust, python } = dynamodb.coldStartGet;
  const isRun = (wanted: string) =>
    plan.cells.some((cell) => cell.variant === wanted && cell.memoryMb === memoryMb);
  const billed = [
    ...(isRun("rust-tuned")
      ? [
          `${count(firstRequest.warming.with.billedDurationMs)} ms if Init prepares it (as the tuned build does)`,
        ]
      : []),
    ...(isRun("python") ? [`${count(python.billedDurationMs)} ms for Python's`] : []),
  ];
  if (plan.target !== "local" || !isRun("rust") || billed.length === 0) return undefined;
  const slow = `${count(rust.billedDurationMs)} ms for the default Rust build's first call at ${memoryMb} MB`;
  return `On Lambda, studies were billed ${joined([slow, ...billed])}.`;
}

/** What the source found, for who asks what is left; only beside the size that it measured. */
function publishedLead(view: ReportView): Text | undefined {
  const { published } = view;
  if (published === undefined) return undefined;
  const ratios = seriesIn(view, "warm").flatMap(
    (series) => publishedRatio(view, series, "durationMs") ?? [],
  );
  if (ratios.length === 0) return undefined;
  const range = `${number(Math.min(...ratios), 1)} to ${number(Math.max(...ratios), 1)}`;
  return [
    strong("Published, not measured here:"),
    ` Python over Rust ${range} times in warm Duration, against ${leadWithoutSdk} times without any SDK (${publishedPlace(published)}).`,
  ];
}
