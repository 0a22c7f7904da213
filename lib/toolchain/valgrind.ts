import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

/** Valgrind counts instructions on this machine. Its paths are absolute. */
export interface Valgrind {
  readonly command: string;
  /** Asks a process that runs under valgrind. */
  readonly vgdb: string;
  /** Holds a process to some of the processors; absent where there is none. */
  readonly taskset?: string;
  readonly version: string;
  /** Processor as valgrind presents it to a program, whose code chooses its paths by that. */
  readonly processor: string;
}

/** `howToHaveValgrind` says how to install it. */
export const howToHaveValgrind =
  "a Linux machine with valgrind on PATH: apt-get install valgrind on Debian and Ubuntu, " +
  "dnf install valgrind on Fedora and Amazon Linux";

/** The valgrind on PATH, or undefined where there is none that runs. */
export function findValgrind(path: string = process.env.PATH ?? ""): Valgrind | undefined {
  const command = onPath("valgrind", path);
  const vgdb = onPath("vgdb", path);
  if (command === undefined || vgdb === undefined) return undefined;
  const said = spawnSync(command, ["-v", "--tool=none", "true"], {
    encoding: "utf8",
    env: commandEnvironment("tool"),
  }).stderr;
  const [, version] = /Using Valgrind-(\d[\d.]*)/.exec(said) ?? [];
  const [, processor] = /Arch and hwcaps: (.+)$/m.exec(said) ?? [];
  if (version === undefined || processor === undefined) return undefined;
  const taskset = onPath("taskset", path);
  return { command, vgdb, ...(taskset !== undefined && { taskset }), version, processor };
}

/** Installs valgrind where it is missing and that can be done unasked: as root, by apt-get. */
export async function installValgrind(options: CommandOptions = {}): Promise<void> {
  if (onPath("valgrind") !== undefined || onPath("apt-get") === undefined) return;
  if (process.getuid?.() !== 0) return;
  const ofApt = { ...options, env: commandEnvironment("apt") };
  await runCommand("apt-get", ["update", "-q"], ofApt);
  const install = ["install", "-q", "-y", "--no-install-recommends", "valgrind"];
  await runCommand("apt-get", install, ofApt);
}

function onPath(name: string, path: string = process.env.PATH ?? ""): string | undefined {
  const candidates = path.split(delimiter).map((folder) => join(folder, name));
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
