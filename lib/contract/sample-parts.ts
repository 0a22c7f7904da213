/**
 * A visit's samples lie in S3 in parts, each written once: an object there cannot be appended to. The
 * cold sample, the dearest one, is a part of its own and written at once; a later part is written when
 * it has this many samples, or has taken this long. A driver that dies has lost no more than that.
 */
export const samplesPerPart = 20;
export const msPerPart = 5_000;

/** The most parts of a visit whose calls take this long. */
export function partCount(samples: number, calledMs: number): number {
  if (samples <= 1) return samples;
  const later = samples - 1;
  const byTime = Math.floor(calledMs / msPerPart);
  return 1 + Math.min(later, Math.ceil(later / samplesPerPart) + byTime);
}
