import { readFileSync } from "node:fs";
import { join } from "node:path";
import { preparePythonVenv } from "../python-venv.ts";
import type { CommandOptions } from "../run-command.ts";
import { enginePaths, folderBytes, type InstalledEngine } from "./installed-engine.ts";

const name = "moto";

/** moto's server in a virtual environment of its own, by a lock with hashes. */
export async function installMoto(options: CommandOptions = {}): Promise<InstalledEngine> {
  const folder = enginePaths.installed(name);
  const lock = join(enginePaths.pinned(name), "requirements.txt");
  await preparePythonVenv(options, { folder, locks: [lock] });
  const version = /^moto==(\S+)/m.exec(readFileSync(lock, "utf8"))?.[1] ?? "unknown";
  return { folder, version, sizeBytes: folderBytes(join(folder, "lib")) };
}
