/**
 * Returns a run's id, such as 20260102T0304Z-a1b2c3: the minute of its creation, which makes ids sortable, and random
 * hex, which distinguishes runs of the same minute.
 */
export function newRunId(createdAt: string, randomHex: string): string {
  const minute = createdAt.replaceAll(/[-:]/g, "").slice(0, 13);
  return `${minute}Z-${randomHex}`;
}

/**
 * Returns the folder of an experiment's results, relative to the run's folder: the experiment's name, or "" if it is
 * the only one. The run's folder itself has the report of all.
 */
export function experimentFolder(experiment: string, all: readonly string[]): string {
  return all.length === 1 ? "" : experiment;
}
