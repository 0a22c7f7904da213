import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

/** The valgrind that counts instructions on this machine. Paths are absolute. */
export interface Valgrind {
  readonly command: string;
  /** Queries a process that runs under valgrind. */
  readonly vgdb: string;
  /** Pins a process to some processors. Absent if there is none. */
  readonly taskset?: string;
  readonly version: string;
  /** Processor that valgrind presents to programs, which choose code paths by it. */
  readonly processor: string;
}

/** How to install valgrind. */
export const howToHaveValgrind =
  "a Linux machine with valgrind on PATH: apt-get install valgrind on Debian and Ubuntu, " +
  "dnf install valgrind on Fedora and Amazon Linux";

/** Returns the valgrind on PATH, or undefined if there is none that runs. */
export function findValgrind(path: string = process.env.PATH ?? ""): Valgrind | undefined {
  const command = onPath("valgrind", path);
  const vgdb = onPath("vgdb", path);
  if (command === undefined || vgdb === undefined) return undefined;
  const output = spawnSync(command, ["-v", "--tool=none", "true"], {
    encoding: "utf8",
    env: commandEnvironment("tool"),
  }).stderr;
  const [, version] = /Using Valgrind-(\d[\d.]*)/.exec(output) ?? [];
  const [, processor] = /Arch and hwcaps: (.+)$/m.exec(output) ?? [];
  if (version === undefined || processor === undefined) return undefined;
  const taskset = onPath("taskset", path);
  return { command, vgdb, ...(taskset !== undefined && { taskset }), version, processor };
}

/** Installs valgrind if it is missing and needs no confirmation: as root, with apt-get. */
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
