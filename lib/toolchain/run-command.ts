import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface CommandOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /**
   * True to run the command in a process group of its own, which the signal ends as a whole: a shell does
   * not hand on what it is sent. A terminal's Ctrl-C no longer reaches it.
   * @default false
   */
  readonly isOwnGroup?: boolean;
  /** Each line that the command prints, on either stream. */
  readonly onLine?: (line: string) => void;
}

/** The whole environment of the command: nothing of this process's is added. */
export interface CommandSurroundings extends CommandOptions {
  readonly env: NodeJS.ProcessEnv;
}

const keptLines = 40;

/**
 * Runs a command to its end; throws with the last lines that it printed when it fails. Aborted, it throws the
 * signal's reason once the command has ended, and with a group of its own all of that.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandSurroundings,
): Promise<void> {
  const { cwd, env, signal, isOwnGroup = false, onLine } = options;
  signal?.throwIfAborted();
  const lastLines: string[] = [];
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd !== undefined && { cwd }),
    env,
    detached: isOwnGroup,
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lastLines.push(line);
      if (lastLines.length > keptLines) lastLines.shift();
      onLine?.(line);
    });
  }
  const how = await new Promise<string | undefined>((resolve, reject) => {
    const end = () => {
      endProcess(child.pid, isOwnGroup);
      // Processes that the command started and left behind may keep its streams open.
      if (!isOwnGroup) child.once("exit", () => resolve(undefined));
    };
    signal?.addEventListener("abort", end, { once: true });
    child.once("error", reject);
    child.once("close", (code, killedBy) => {
      signal?.removeEventListener("abort", end);
      resolve(code === 0 ? undefined : `${killedBy ?? `exit status ${code}`}`);
    });
  });
  signal?.throwIfAborted();
  if (how === undefined) return;
  throw new Error(`${command} ${args.join(" ")} ended with ${how}:\n${lastLines.join("\n")}`);
}

function endProcess(pid: number | undefined, isGroup: boolean): void {
  try {
    if (pid !== undefined) process.kill(isGroup ? -pid : pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}
