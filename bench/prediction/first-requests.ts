import type { Prediction, PredictionStudy } from "../../lib/analysis/prediction.ts";
import { cpuCredit } from "../../lib/contract/cpu-credit.ts";

/** What a first request consists of, ms. */
export interface FirstRequestParts {
  readonly cpuMs: number;
  readonly waitMs: number;
}

/** Two sizes: one with a share of a CPU, and one that no share slows. */
const throttledMb = 128;
const unthrottledMb = 2048;

/**
 * Of its Durations at the two sizes, ms: CPU time is handed out by the share, and the wait is what memory does not
 * shorten. It takes the CPU time to be the same at both, and none of it to be done while waiting.
 */
export function firstRequestParts(throttledMs: number, unthrottledMs: number): FirstRequestParts {
  const cpuMs = (throttledMs - unthrottledMs) / (1 / cpuCredit(throttledMb) - 1);
  return { cpuMs, waitMs: unthrottledMs - cpuMs };
}

/** A row for each language on each of Lambda's architectures, and on each machine: language, place, parts. */
export function listFirstRequests(
  studies: readonly PredictionStudy[],
): readonly (readonly [language: string, place: string, parts: FirstRequestParts])[] {
  const [published = []] = studies.map(({ predictions }) => predictions);
  return ["Rust", "Python"].flatMap((language) => {
    const at = (
      predictions: readonly Prediction[],
      architecture: string,
      value: "observed" | "predicted",
    ) => {
      const [throttled, unthrottled] = [throttledMb, unthrottledMb].map((memoryMb) => {
        const what = `dynamodb-batch, first \`batch_write_get\`, ${language.toLowerCase()}, ${memoryMb} MB, Duration, ms, ${architecture}`;
        return predictions.find((each) => each.what === what)?.[value];
      });
      if (throttled === undefined || unthrottled === undefined) return [];
      return [firstRequestParts(throttled, unthrottled)];
    };
    return [
      ...["arm64", "x86_64"].flatMap((architecture) =>
        at(published, architecture, "observed").map(
          (parts) => [language, `Lambda, ${architecture}`, parts] as const,
        ),
      ),
      // A machine's own times stand beside those of both architectures.
      ...studies.flatMap(({ machine, predictions }) =>
        at(predictions, "arm64", "predicted").map((parts) => [language, machine, parts] as const),
      ),
    ];
  });
}
