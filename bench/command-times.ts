import { readFileSync, rmSync } from "node:fs";

/** Times of one run of a command. */
export interface CommandTime {
  readonly commit: string;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** False if the command failed: its time then covers less work. */
  readonly isComplete: boolean;
}

/** Times of one command on two commits, measured in turn on one machine. */
export interface CommandComparison {
  readonly name: string;
  readonly command: string;
  readonly machine: {
    readonly cpuModel: string;
    readonly cpus: number;
    readonly os: string;
    readonly rustc: string;
  };
  readonly before: CommandTime;
  readonly after: CommandTime;
}

/** A command counts as slower above this ratio; two runs of one commit differed by less. */
const slowerFrom = 1.05;

export function isSlower(comparison: CommandComparison): boolean {
  return cpuRatio(comparison) > slowerFrom;
}

export function isComplete({ before, after }: CommandComparison): boolean {
  return before.isComplete && after.isComplete;
}

/** Adds a comparison, replacing the earlier one of its command. */
export function replaceComparison(
  stored: readonly CommandComparison[],
  made: CommandComparison,
): readonly CommandComparison[] {
  return [...stored.filter(({ name }) => name !== made.name), made];
}

export function comparisonText(comparison: CommandComparison): string {
  const { machine, command, before, after } = comparison;
  const { cpuModel, cpus, os, rustc } = machine;
  return [
    `${cpuModel}, ${cpus} CPUs, ${os}, rustc ${rustc}, n = 1 each`,
    `${command}: ${cpuRatio(comparison).toFixed(2)} times the CPU time`,
    `  ${describeTime(before)}`,
    `  ${describeTime(after)}\n`,
  ].join("\n");
}

function cpuRatio({ before, after }: CommandComparison): number {
  return after.cpuSeconds / before.cpuSeconds;
}

function describeTime({ commit, cpuSeconds, wallSeconds, isComplete }: CommandTime): string {
  const end = isComplete ? "" : "; it failed";
  return `${commit}: ${cpuSeconds} s of CPU in ${wallSeconds} s${end}`;
}

/**
 * Wraps a command so that it writes the CPU time of all its child processes to a file, with the shell's `times`:
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#times
 */
export function withCpuTimes(
  command: string,
  args: readonly string[],
  path: string,
): { readonly command: string; readonly args: readonly string[] } {
  const script = '"$@"; code=$?; times > "$0"; exit $code';
  return { command: "bash", args: ["-c", script, path, command, ...args] };
}

/** Returns the file's seconds, user plus system, and deletes it. Undefined if a signal ended the shell. */
export function takeCpuSeconds(path: string): number | undefined {
  let times: string;
  try {
    times = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  rmSync(path);
  // The second line is the children's, in the form `12m34.567s 1m2.345s`.
  const spans = [...(times.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return spans.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
