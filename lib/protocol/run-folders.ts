/**
 * Where the experiments of a run lie, below its own folder: each in one of its name, with the report
 * of them all above them; an experiment that runs alone is the whole run, and lies in the run's.
 */
export function folderOf(experiment: string, all: readonly string[]): string {
  return all.length === 1 ? "" : experiment;
}
