import { readFileSync, rmSync } from "node:fs";

/**
 * A command that leaves the CPU time of all that it waited for in a file, by the shell's `times`:
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

/** The file's seconds, user and system together; the file is removed. Undefined where a signal ended the shell. */
export function takeCpuSeconds(path: string): number | undefined {
  let times: string;
  try {
    times = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  rmSync(path);
  // The second line is the children's, as `12m34.567s 1m2.345s`.
  const spans = [...(times.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return spans.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
