/**
 * A run's id: the minute it was made, sortable, and random hex that tells runs of that minute apart.
 * For example 20260102T0304Z-a1b2c3.
 */
export function newRunId(createdAt: string, randomHex: string): string {
  const minute = createdAt.replaceAll(/[-:]/g, "").slice(0, 13);
  return `${minute}Z-${randomHex}`;
}
