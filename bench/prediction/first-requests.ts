import type { PredictionStudy } from "../../lib/analysis/prediction.ts";
import { cpuCredit } from "../../lib/contract/cpu-credit.ts";

interface FirstRequestParts {
  readonly cpuMs: number;
  readonly waitMs: number;
}

/** One size with a CPU share below 1, and one that is not throttled. */
const throttledMb = 128;
const unthrottledMb = 2048;

/**
 * Splits the Durations at the two sizes, in ms, into CPU time, which depends on the share, and wait, which does not.
 * Assumes the same CPU time at both sizes, none of it spent while waiting.
 */
export function firstRequestParts(throttledMs: number, unthrottledMs: number): FirstRequestParts {
  const cpuMs = (throttledMs - unthrottledMs) / (1 / cpuCredit(throttledMb) - 1);
  return { cpuMs, waitMs: unthrottledMs - cpuMs };
}

/** Returns one row per language for each Lambda architecture and each machine: language, place, parts. */
export function listFirstRequests(
  studies: readonly PredictionStudy[],
): readonly (readonly [language: string, place: string, parts: FirstRequestParts])[] {
  const published = studies[0]?.predictions ?? [];
  return ["Rust", "Python"].flatMap((language) => {
    // A machine's predictions are the same for both architectures, so only those of arm64 are listed.
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
        const label = `dynamodb-batch, first \`batch_write_get\`, ${language.toLowerCase()}, ${memoryMb} MB, Duration, ms, ${architecture}`;
        return predictions.find((each) => each.what === label)?.[value];
      });
      if (throttled === undefined || unthrottled === undefined) return [];
      return [[language, place, firstRequestParts(throttled, unthrottled)] as const];
    });
  });
}
