import type { PredictionStudy } from "../../lib/analysis/prediction.ts";
import { cpuCredit } from "../../lib/contract/cpu-credit.ts";

export interface FirstRequestParts {
  readonly cpuMs: number;
  readonly waitMs: number;
}

/** Two sizes: one with a share of a CPU, and one that no share slows. */
const throttledMb = 128;
const unthrottledMb = 2048;

/**
 * Splits Durations at the two sizes, ms: CPU time is granted by the share, and the wait does not shrink with
 * memory. Assumes the same CPU time at both sizes, none of it spent while waiting.
 */
export function firstRequestParts(throttledMs: number, unthrottledMs: number): FirstRequestParts {
  const cpuMs = (throttledMs - unthrottledMs) / (1 / cpuCredit(throttledMb) - 1);
  return { cpuMs, waitMs: unthrottledMs - cpuMs };
}

/** One row for each language on each Lambda architecture, and on each machine: language, place, parts. */
export function listFirstRequests(
  studies: readonly PredictionStudy[],
): readonly (readonly [language: string, place: string, parts: FirstRequestParts])[] {
  const published = studies[0]?.predictions ?? [];
  return ["Rust", "Python"].flatMap((language) => {
    // A machine's own times are listed beside those of both architectures.
    const places = [
      ...["arm64", "x86_64"].map(
        (architecture) => [`Lambda, ${architecture}`, published, architecture, "observed"] as const,
      ),
      ...studies.map(
        ({ machine, predictions }) => [machine, predictions, "arm64", "predicted"] as const,
      ),
    ];
    return places.flatMap(([place, predictions, architecture, value]) => {
      const [throttled, unthrottled] = [throttledMb, unthrottledMb].map((memoryMb) => {
        const what = `dynamodb-batch, first \`batch_write_get\`, ${language.toLowerCase()}, ${memoryMb} MB, Duration, ms, ${architecture}`;
        return predictions.find((each) => each.what === what)?.[value];
      });
      if (throttled === undefined || unthrottled === undefined) return [];
      return [[language, place, firstRequestParts(throttled, unthrottled)] as const];
    });
  });
}
