/**
 * A visit's samples lie in S3 in parts: an object there cannot be appended to. A part is written when it
 * has this many samples, or has taken this long; a driver that dies has lost no more than that. The cold
 * sample, the dearest one, is written at once, and once more with what follows it in its part.
 */
export const samplesPerPart = 20;
export const msPerPart = 5_000;

/** The most parts of a visit whose calls take this long. */
export function partCount(samples: number, calledMs: number): number {
  const byTime = Math.floor(calledMs / msPerPart);
  return Math.min(samples, Math.ceil(samples / samplesPerPart) + byTime);
}
