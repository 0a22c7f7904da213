import published from "../../../contract/published.json" with { type: "json" };
import type { PublishedSeries, PublishedSource } from "../../view/published.ts";
import type { Phase } from "../../view/series-view.ts";

const { source, conditions, phasesMs, warming } = published.firstRequest;

/** The phases of the source's own runs, and the means that it gives, ms. */
export const publishedPhases = phasesMs;

/** What the source's warm-up did to the bill: 0.82 is 82 % less. */
export const publishedBilledReduction = warming.billedReductionPercent / 100;

export const publishedFirstRequest: PublishedSource = {
  source,
  conditions,
  baselineVariant: "unwarmed",
  seriesOf,
};

function seriesOf(variant: string, operation: string, phase: Phase): PublishedSeries | undefined {
  if (operation !== "get" || phase !== "cold") return undefined;
  switch (variant) {
    case "breakdown":
      return {
        initDurationMs: phasesMs.initDurationMean,
        durationMs: phasesMs.lambdaDurationMean,
        sdkCallMs: phasesMs.sdkFirstCallMean,
      };
    case "unwarmed":
      return coldSeries(warming.without);
    case "warmed":
      return { ...coldSeries(warming.with), warmupMs: warming.with.warmupCallMs };
    default:
      return undefined;
  }
}

function coldSeries({
  initDurationMs,
  firstDurationMs,
  billedDurationMs,
}: typeof warming.without): PublishedSeries {
  return { initDurationMs, durationMs: firstDurationMs, billedDurationMs };
}
