import published from "../../../contract/published.json" with { type: "json" };
import type { PublishedSource } from "../../view/published.ts";

const { compute } = published;
const { fibonacciN, region, architecture, memoryMb, vectorElements } = compute.conditions;

/** Which Fibonacci number the source computed. */
export const publishedN = fibonacciN;

/** The source's lead of Rust over Python in Duration, by its Fibonacci number. */
export const publishedLead = compute.pythonToRustDurationRatio;

export const publishedCompute: PublishedSource = {
  source: compute.source,
  conditions: { region, architecture, memoryMb, fibonacciN, vectorElements },
  baselineVariant: "rust",
  seriesOf: (variant, operation, phase) => {
    if (variant === "rust" && phase === "cold")
      return { initDurationMs: compute.rustInitDurationMs };
    const isLead = variant === "python" && phase === "warm" && operation === "fibonacci";
    return isLead ? { durationRatio: publishedLead } : undefined;
  },
};
