import fc from "fast-check";

const hundredths = fc.integer({ min: 0, max: 90_000_000 }).map((value) => value / 100);

/** What a REPORT may say, to the two decimals that Lambda prints. */
export const madeUpTelemetry = fc.record(
  {
    durationMs: hundredths,
    billedDurationMs: fc.nat({ max: 1_000_000_000 }),
    memorySizeMb: fc.integer({ min: 128, max: 10_240 }),
    maxMemoryUsedMb: fc.nat(10_240),
    initDurationMs: hundredths,
  },
  { requiredKeys: ["durationMs"] },
);
