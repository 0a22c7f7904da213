import published from "../../../contract/published.json" with { type: "json" };
import type { PublishedSeries, PublishedSource } from "../../view/published.ts";
import type { Phase } from "../../view/series-view.ts";

const { dynamodb, compute } = published;
type Operation = keyof typeof dynamodb.warmDurationMs;
type Published = "rust" | "python";

/** Lead of Rust over Python without any SDK, by the same source. */
export const leadWithoutSdk = compute.pythonToRustDurationRatio;

export const publishedDynamodb: PublishedSource = {
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
  seriesOf,
};

function seriesOf(variant: string, operation: string, phase: Phase): PublishedSeries | undefined {
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
