import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface CommandOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /**
   * Whether to run the command in its own process group, all of which the signal ends: a shell does not forward
   * signals. The terminal's Ctrl-C then no longer reaches it.
   * @default false
   */
  readonly isOwnGroup?: boolean;
  /** Called for each line that the command prints, on either stream. */
  readonly onLine?: (line: string) => void;
}

/** The command's whole environment: nothing of this process's is added. */
export interface CommandSurroundings extends CommandOptions {
  readonly env: NodeJS.ProcessEnv;
}

const keptLines = 40;

/**
 * Runs a command to its end. Throws with its last lines of output if it fails. If aborted, throws the signal's reason
 * once the command, and its process group if it has one, has ended.
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
      // Processes that the command left behind may keep its streams open.
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

/** Returns what a command prints, trimmed; undefined if it fails or does not run here. */
export function outputOf(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  try {
    return execFileSync(command, args, {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
