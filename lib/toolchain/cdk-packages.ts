import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { makeCachedFolder } from "./cached-folder.ts";
import { commandEnvironment } from "./command-environment.ts";
import { isRepository, projectPaths } from "./project-paths.ts";
import { runCommand } from "./run-command.ts";

/** Folder to which `npm pack` writes the part of the lock that the CDK is installed from. */
export const cdkTreeFolder: string = join(projectPaths.root, "dist", "cdk");

interface CdkOptions {
  readonly say: (line: string) => void;
  /** @default the packed part of the lock */
  readonly tree?: string;
  /** @default the project's cache */
  readonly cache?: string;
}

/**
 * Returns the folder of packages that contains the CDK. In the repository it is among the dependencies. An installed
 * package fetches it with npm at its first use, with the versions and hashes of the project's lock. Throws if npm
 * fails.
 */
export async function prepareCdk(options: CdkOptions): Promise<string> {
  const isPacked = !isRepository || options.tree !== undefined;
  if (isPacked) return await fetchCdk(options);
  return join(createRequire(import.meta.url).resolve("aws-cdk/package.json"), "..", "..");
}

async function fetchCdk({
  say,
  tree = cdkTreeFolder,
  cache = projectPaths.cache,
}: CdkOptions): Promise<string> {
  const lock = readFileSync(join(tree, "package-lock.json"));
  const key = createHash("sha256").update(lock).digest("hex").slice(0, 16);
  const versions = packageJson.devDependencies;
  const folder = join(cache, "cdk", `${versions["aws-cdk-lib"]}-${key}`);
  if (!existsSync(folder)) {
    const names = (["aws-cdk", "aws-cdk-lib"] as const).map((name) => `${name} ${versions[name]}`);
    say(`fetching the CDK (${names.join(", ")}) from npm into ${cache}, once`);
  }
  await makeCachedFolder(folder, async (unfinished) => {
    for (const name of ["package.json", "package-lock.json"]) {
      copyFileSync(join(tree, name), join(unfinished, name));
    }
    const quiet = [
      "--prefer-offline",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel",
      "error",
    ];
    await runCommand("npm", ["ci", ...quiet], {
      cwd: unfinished,
      env: commandEnvironment("npm"),
    });
  });
  return join(folder, "node_modules");
}

/**
 * Links an installed package beside the CDK's packages, so that Node.js resolves them from its app. Returns Node.js's
 * arguments for the app; the flags keep Node.js from resolving the links.
 * https://nodejs.org/api/cli.html#--preserve-symlinks
 * @param place An empty folder.
 */
export function packagedAppArguments(app: string, packages: string, place: string): string {
  mkdirSync(place, { recursive: true });
  symlinkSync(packages, join(place, "node_modules"));
  symlinkSync(projectPaths.root, join(place, "kelvin"));
  const script = join(place, "kelvin", "dist", "bin", `${app}.mjs`);
  return `--preserve-symlinks --preserve-symlinks-main "${script}"`;
}
