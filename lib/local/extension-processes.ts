import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FunctionCommand, FunctionProcess } from "./function-process.ts";
import { findGroup } from "./loopback-peer.ts";
import { killNow } from "./process-identity.ts";
import type { RuntimeApi } from "./runtime-api.ts";

/**
 * Starts each extension, then replaces this shell by the runtime: all are in one process group. If an extension
 * exits, the environment ends, as on Lambda (Extension.Crash).
 */
const launcher = `for extension in "$0"/*; do
  if [ -f "$extension" ] && [ -x "$extension" ]; then
    ( "$extension"; echo "extension \${extension##*/} exited with status $?" >&2; kill $$ ) &
  fi
done
exec "$@"`;

/**
 * Adds the external extensions of the function's layers to the command: executable files in /opt/extensions.
 * @param seenAt the path of the layers as the function sees it. @default `layers`
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-extensions-api.html#runtimes-extensions-registration-api-lifecycle
 */
export function withExtensions<Command extends Pick<FunctionCommand, "command" | "args">>(
  command: Command,
  layers: string,
  seenAt: string = layers,
): Command & Pick<FunctionCommand, "extensions"> {
  const folder = join(layers, "extensions");
  const extensions = listExtensions(folder);
  if (extensions.length === 0) return command;
  const args = ["-c", launcher, join(seenAt, "extensions"), command.command, ...command.args];
  return { ...command, command: "/bin/sh", args, extensions };
}

function listExtensions(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => {
    const stats = statSync(join(folder, name));
    return stats.isFile() && (stats.mode & 0o111) !== 0;
  });
}

/** Limits on shutdown: the runtime has 300 ms, the extensions the rest of 2 s. Then all are killed. */
const shutdownMs = { runtime: 300, all: 2000 } as const;

/**
 * Ends the runtime, then the extensions: each gets SHUTDOWN and may exit by itself. Returns at once if there are
 * none. https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-shutdown
 */
export async function endExtensions(
  api: Pick<RuntimeApi, "hasExtensions" | "shutDown">,
  process: Pick<FunctionProcess, "pid" | "exited" | "terminate">,
): Promise<void> {
  const { pid } = process;
  if (!api.hasExtensions || pid === undefined) return;
  const deadlineMs = performance.now() + shutdownMs.all;
  process.terminate();
  await Promise.race([process.exited, delay(shutdownMs.runtime)]);
  const notified = api.shutDown("spindown", Date.now() + (deadlineMs - performance.now()));
  const isGone = async () => (await findGroup(pid)).length === 0;
  while (notified > 0 && performance.now() < deadlineMs && !(await isGone())) await delay(5);
  if (!(await isGone())) killNow(-pid);
}
