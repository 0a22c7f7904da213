import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "../command-environment.ts";
import { type CommandOptions, runCommand } from "../run-command.ts";
import { enginePaths, folderBytes, type InstalledEngine, installOnce } from "./installed-engine.ts";

const name = "dynalite";
const pinnedFiles = ["package.json", "package-lock.json"];

/** dynalite by its own lockfile, in a folder of its own. */
export async function installDynalite(options: CommandOptions = {}): Promise<InstalledEngine> {
  const folder = enginePaths.installed(name);
  const pins = pinnedFiles.map((file) => join(enginePaths.pinned(name), file));
  await installOnce(folder, pins, async () => {
    for (const file of pinnedFiles) {
      copyFileSync(join(enginePaths.pinned(name), file), join(folder, file));
    }
    // Its native part is for tables on disk, and comes built.
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
    await runCommand("npm", ["ci", ...quiet], {
      ...options,
      cwd: folder,
      env: commandEnvironment("npm"),
    });
  });
  const installed = join(folder, "node_modules");
  const manifest = readFileSync(join(installed, name, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return { folder, version, sizeBytes: folderBytes(installed) };
}
