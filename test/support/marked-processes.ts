import { readdirSync, readFileSync } from "node:fs";

/**
 * The words that stand before a command, so that every process that comes of it is told from all
 * others of this machine. The mark is an unusual limit on the size of files: a limit is handed down
 * to whatever a process starts, be it in a group and a session of its own, with another environment,
 * or left behind (getrlimit(2)).
 * @param mark a whole number; the limit is far above what is ever written
 */
export function markedBy(mark: number): readonly string[] {
  return ["/bin/sh", "-c", `ulimit -S -f ${limitBlocks(mark)} && exec "$@"`, "sh"];
}

/** Marked processes of a function or a stand-in that are alive: their ids. Linux alone tells. */
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
        // Gone meanwhile.
        return false;
      }
    });
}

/** Of 512 bytes, as a POSIX shell counts: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/ulimit.html */
function limitBlocks(mark: number): number {
  return 2 ** 40 + mark;
}
