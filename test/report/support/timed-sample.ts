import type { Sample } from "../../../lib/contract/types/contract.ts";

interface Times {
  readonly durationMs: number;
  /** Of a cold sample. */
  readonly initDurationMs?: number;
}

/** The sample with times of one's own, billed as Lambda bills: the sum of Init and Duration, rounded up. */
export function timedSample(sample: Sample, { durationMs, initDurationMs }: Times): Sample {
  const isCold = sample.phase === "cold";
  const init = initDurationMs ?? sample.telemetry?.initDurationMs ?? 0;
  const { initDurationMs: _, ...telemetry } = sample.telemetry ?? {};
  return {
    ...sample,
    telemetry: {
      ...telemetry,
      durationMs,
      billedDurationMs: Math.ceil(durationMs + (isCold ? init : 0)),
      ...(isCold && { initDurationMs: init }),
    },
  };
}

/** A factor from 1 - width to 1 + width that differs from sample to sample, the same in every run. */
export function wobble({ block, sequence, cell }: Sample, width: number): number {
  let hash = 2_166_136_261;
  for (const character of `${cell.id} ${block} ${sequence}`) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
  }
  return 1 + width * (2 * (hash / 2 ** 32) - 1);
}
