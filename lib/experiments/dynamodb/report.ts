import type { PublishedSeries, PublishedSource } from "../../analysis/published.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Phase } from "../../analysis/series-view.ts";
import published from "../../contract/published.json" with { type: "json" };
import type { Cell } from "../../contract/types/contract.ts";
import { paragraph, strong, type Text } from "../../report/document/document.ts";
import { number } from "../../report/document/format.ts";
import type { ExperimentReport } from "../../report/experiment-report.ts";
import { publishedPlace, publishedRatio } from "../../report/section/columns.ts";
import { leadSection } from "../../report/section/lead.ts";

const { dynamodb, compute } = published;
type Operation = keyof typeof dynamodb.warmDurationMs;
type Published = "rust" | "python";

/** Lead of Rust over Python without any SDK, from the same source. */
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
  { variant }: Cell,
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
    sections: leadSection,
    limits: [
      "One item shape and four operations of one service: the ratio differs for other work.",
    ],
  }),
};

/** Quotes the published lead of Rust; only with series of the published conditions. */
function publishedLead(view: ReportView): Text | undefined {
  const { published } = view;
  if (published === undefined) return undefined;
  const ratios = view.rows.warm.flatMap(
    (series) => publishedRatio(view, series, "durationMs") ?? [],
  );
  if (ratios.length === 0) return undefined;
  const range = `${number(Math.min(...ratios), 1)} to ${number(Math.max(...ratios), 1)}`;
  return [
    strong("Published, not measured here:"),
    ` Python over Rust ${range} times in warm Duration, against ${leadWithoutSdk} times without any SDK (${publishedPlace(published)}).`,
  ];
}
