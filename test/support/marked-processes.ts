import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the arguments that precede a command, so that all processes descending from it can be recognized. The mark
 * is an unusual file size limit: every child process inherits it, even in another process group or session, with
 * another environment, or orphaned (getrlimit(2)).
 * @param mark an integer; the limit is far above any file size
 */
export function markedBy(mark: number): readonly string[] {
  return ["/bin/sh", "-c", `ulimit -S -f ${limitBlocks(mark)} && exec "$@"`, "sh"];
}

/** Returns the ids of live marked processes of a function or a stand-in. Works on Linux only. */
export function measuredProcesses(mark: number): readonly string[] {
  const isMarked = new RegExp(`^Max file size +${limitBlocks(mark) * 512} `, "m");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [limits, environment, command] = ["limits", "environ", "cmdline"].map((name) =>
          readFileSync(`/proc/${pid}/${name}`, "utf8"),
        ) as [string, string, string];
        const isFunction = environment.includes("AWS_LAMBDA_FUNCTION_NAME=");
        return isMarked.test(limits) && (isFunction || /standin-[a-z0-9]+\0/.test(command));
      } catch {
        // The process has ended meanwhile.
        return false;
      }
    });
}

/** Limit in blocks of 512 bytes: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/ulimit.html */
function limitBlocks(mark: number): number {
  return 2 ** 40 + mark;
}
