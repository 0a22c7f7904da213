import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FunctionCommand, FunctionProcess } from "./function-process.ts";
import { isGroupGone } from "./loopback-peer.ts";
import { killNow } from "./process-identity.ts";
import { type RuntimeApi, registeredPath } from "./runtime-api.ts";

/** Variables of the runtime's process, which extensions do not get. */
const runtimeVariables = [
  ...["AWS_EXECUTION_ENV", "AWS_LAMBDA_LOG_GROUP_NAME", "AWS_LAMBDA_LOG_STREAM_NAME"],
  ...["AWS_XRAY_CONTEXT_MISSING", "AWS_XRAY_DAEMON_ADDRESS"],
  ...["LAMBDA_RUNTIME_DIR", "LAMBDA_TASK_ROOT", "_HANDLER"],
];

/** Bash connects to the Runtime API by itself, without a program that would count as the function's. */
const bash = "/bin/bash";

/**
 * Starts each extension, waits until all have registered, then replaces this shell by the runtime: all are in one
 * process group. If an extension exits, the environment ends, as on Lambda (Extension.Crash).
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-extensions-api.html#runtimes-extensions-api-reg
 */
const launcher = `for extension in "$0"/*; do
  if [ -f "$extension" ] && [ -x "$extension" ]; then
    ( unset ${runtimeVariables.join(" ")}; "$extension"; echo "extension \${extension##*/} exited with status $?" >&2; kill $$ ) &
  fi
done
if [ -n "$BASH" ]; then
  exec 9<>"/dev/tcp/\${AWS_LAMBDA_RUNTIME_API%:*}/\${AWS_LAMBDA_RUNTIME_API##*:}"
  printf 'GET ${registeredPath} HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&9
  read -r _ <&9
  exec 9>&-
fi
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
  return { ...command, command: existsSync(bash) ? bash : "/bin/sh", args, extensions };
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
  while (notified > 0 && performance.now() < deadlineMs && !(await isGroupGone(pid)))
    await delay(5);
  if (!(await isGroupGone(pid))) killNow(-pid);
}
