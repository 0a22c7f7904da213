/** What one run of a command took. */
export interface CommandTime {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** False where the command failed: its time is then that of less. */
  readonly isComplete: boolean;
}

export interface CommandRun {
  readonly name: string;
  readonly command: string;
  readonly before: CommandTime;
  readonly after: CommandTime;
}

export interface CommandTimes {
  readonly machine: {
    readonly cpuModel: string;
    readonly cpus: number;
    readonly os: string;
    readonly rustc: string;
  };
  /** The two commits. */
  readonly before: string;
  readonly after: string;
  readonly runs: readonly CommandRun[];
}

/** Above it a command counts as slower; two runs of one commit differed by less. */
export const slowerFrom = 1.05;

export function compareTimes(times: CommandTimes): CommandTimes & { readonly isSlower: boolean } {
  return { ...times, isSlower: times.runs.some((run) => cpuRatio(run) > slowerFrom) };
}

export function cpuRatio({ before, after }: CommandRun): number {
  return after.cpuSeconds / before.cpuSeconds;
}

export function timesText({ machine, before, after, runs }: CommandTimes): string {
  const { cpuModel, cpus, os, rustc } = machine;
  const rows = runs.flatMap((run) => [
    `${run.command}: ${cpuRatio(run).toFixed(2)} times the CPU time`,
    `  ${before}: ${describeTime(run.before)}`,
    `  ${after}: ${describeTime(run.after)}`,
  ]);
  return `${cpuModel}, ${cpus} CPUs, ${os}, rustc ${rustc}, n = 1 each\n${rows.join("\n")}\n`;
}

function describeTime({ cpuSeconds, wallSeconds, isComplete }: CommandTime): string {
  return `${cpuSeconds} s of CPU in ${wallSeconds} s${isComplete ? "" : "; it failed"}`;
}
