import { spawnSync } from "node:child_process";
import { commandEnvironment } from "../command-environment.ts";
import { projectPaths } from "../project-paths.ts";
import { type CommandOptions, runCommand } from "../run-command.ts";
import type { InstalledEngine } from "./installed-engine.ts";
import { withoutSecret } from "./without-secret.ts";

/** By which its command line asks its maker whether it may start. It reaches a process by the environment alone. */
export const tokenVariable = "LOCALSTACK_AUTH_TOKEN";

/** A first start pulls its image. */
const patienceSeconds = 600;

/** Its command line starts nothing without a token of its maker's. */
export function missingForLocalstack(): string | undefined {
  if (version() === undefined) return "cannot start: no localstack on PATH (its CLI, with Docker)";
  return localstackToken() === undefined
    ? `cannot start: no ${tokenVariable}, without which its CLI starts nothing`
    : undefined;
}

export function localstackToken(): string | undefined {
  return process.env[tokenVariable] || undefined;
}

/**
 * What its command line is told: one service, on loopback, and a container of its own name, so that no
 * other LocalStack of this machine is stopped or measured.
 * https://docs.localstack.cloud/aws/customization/configuration-options/
 */
export function localstackSettings(port: number): readonly string[] {
  return [
    `GATEWAY_LISTEN=127.0.0.1:${port}`,
    `MAIN_CONTAINER_NAME=kelvin-localstack-${port}`,
    "SERVICES=dynamodb",
    "DNS_ADDRESS=0",
    "DISABLE_EVENTS=1",
  ];
}

/** A command of its command line with its settings. */
export function localstackCommand(port: number, ...words: readonly string[]): readonly string[] {
  return ["env", ...localstackSettings(port), "localstack", ...words];
}

/** Starts it once and stops it again: its image is then here, and its token is known to be good. */
export async function installLocalstack(
  port: number,
  options: CommandOptions = {},
): Promise<InstalledEngine> {
  const { onLine } = options;
  const hidden = (text: string) => withoutSecret(text, localstackToken());
  const run = async (...words: readonly string[]) => {
    const [program = "", ...args] = localstackCommand(port, ...words);
    const env = commandEnvironment("container");
    const shown = {
      ...options,
      env,
      ...(onLine && { onLine: (line: string) => onLine(hidden(line)) }),
    };
    await runCommand(program, args, shown);
  };
  try {
    await run("start", "-d");
    await run("wait", "-t", String(patienceSeconds));
  } catch (error) {
    throw new Error(hidden((error as Error).message));
  } finally {
    const [program = "", ...args] = localstackCommand(port, "stop");
    spawnSync(program, args, { stdio: "ignore", env: commandEnvironment("container") });
  }
  return { folder: projectPaths.cache, version: version() ?? "unknown" };
}

function version(): string | undefined {
  const { status, stdout } = spawnSync("localstack", ["--version"], {
    encoding: "utf8",
    env: commandEnvironment("container"),
  });
  return status === 0 ? stdout.trim() : undefined;
}
