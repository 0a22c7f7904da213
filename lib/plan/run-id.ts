/**
 * A run's id: the minute of its creation, sortable, and random hex that tells runs of that minute apart,
 * as in 20260102T0304Z-a1b2c3.
 */
export function newRunId(createdAt: string, randomHex: string): string {
  const minute = createdAt.replaceAll(/[-:]/g, "").slice(0, 13);
  return `${minute}Z-${randomHex}`;
}

/**
 * Folder of an experiment's results below the run's own: named after the experiment, with the report
 * of all above it; an experiment that runs alone is the whole run and has the run's folder.
 */
export function experimentFolder(experiment: string, all: readonly string[]): string {
  return all.length === 1 ? "" : experiment;
}
