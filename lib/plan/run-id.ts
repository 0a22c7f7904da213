/**
 * A run's id: the minute it was made, sortable, and random hex that tells runs of that minute apart.
 * For example 20260102T0304Z-a1b2c3.
 */
export function newRunId(createdAt: string, randomHex: string): string {
  const minute = createdAt.replaceAll(/[-:]/g, "").slice(0, 13);
  return `${minute}Z-${randomHex}`;
}

/**
 * Where the experiments of a run lie, below its own folder: each in one of its name, with the report
 * of them all above them; an experiment that runs alone is the whole run, and lies in the run's.
 */
export function experimentFolder(experiment: string, all: readonly string[]): string {
  return all.length === 1 ? "" : experiment;
}
