import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { makeCachedFolder } from "./cached-folder.ts";
import { commandEnvironment } from "./command-environment.ts";
import { isRepository, projectPaths } from "./project-paths.ts";
import { runCommand } from "./run-command.ts";

// Lambda's Node.js runtimes include the whole AWS SDK for JavaScript v3:
// https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included

const scopes = ["@aws-sdk", "@smithy"] as const;

/** Folder of the repository's packages, which include parts of the SDK. Undefined in an installed package. */
export const javascriptPackagesFolder: string | undefined = isRepository
  ? join(javascriptSdkFolder(), "..")
  : undefined;

/** Returns the folder with the SDK clients that Kelvin itself uses. */
export function javascriptSdkFolder(): string {
  const own = createRequire(import.meta.url).resolve("@aws-sdk/client-s3/package.json");
  return join(own, "..", "..");
}

/** Links the repository's SDK packages into a folder of packages. */
export function linkOwnSdk(modules: string): void {
  const packages = javascriptPackagesFolder;
  if (packages === undefined) return;
  for (const scope of scopes) linkScope(join(packages, scope), join(modules, scope));
}

/**
 * Links every package of a layer's folder of packages into another one, unless that has a package of this name. Links
 * are relative, so both folders can be moved together.
 */
export function linkPackages(from: string, modules: string): void {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from).filter((each) => !each.startsWith("."))) {
    const [target, path] = [join(from, name), join(modules, name)];
    if (name.startsWith("@")) linkScope(target, path, relativeTo);
    else link(relativeTo(target, path), path);
  }
}

/** Returns the target as the link at the path should name it. */
type Named = (target: string, path: string) => string;

const relativeTo: Named = (target, path) => relative(dirname(path), target);

function linkScope(from: string, to: string, named: Named = (target) => target): void {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from)) {
    const path = join(to, name);
    link(named(join(from, name), path), path);
  }
}

function link(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Returns the SDK package that a Node.js error reports as missing, or undefined for any other error. */
export function missingSdkPackage(message: string): string | undefined {
  return /Cannot find (?:module|package) '(@(?:aws-sdk|smithy)\/[\w.-]+)/.exec(message)?.[1];
}

interface SdkOptions {
  readonly say: (line: string) => void;
  /** @default the project's cache */
  readonly cache?: string;
}

/**
 * Links packages of the SDK into a folder of packages, replacing all SDK packages there except a layer's. npm fetches
 * them once into the cache. They are one tree, so that shared dependencies are loaded once, as on Lambda. Clients
 * have the same version as Kelvin's own. Throws if npm fails.
 */
export async function useSdkPackages(
  names: readonly string[],
  modules: string,
  { say, cache = projectPaths.cache }: SdkOptions,
): Promise<void> {
  const trees = join(cache, "aws-sdk");
  const key = createHash("sha256").update([ownVersion(), ...names.toSorted()].join("\0"));
  const tree = join(trees, `${ownVersion()}-${key.digest("hex").slice(0, 16)}`);
  if (!existsSync(tree)) {
    say(`fetching ${names.join(", ")}, which Lambda's Node.js runtimes have, once`);
  }
  await makeCachedFolder(tree, (unfinished) => install(names, unfinished));
  for (const scope of scopes) {
    const own = javascriptPackagesFolder;
    unlinkScope(join(modules, scope), own === undefined ? [trees] : [trees, own]);
    linkScope(join(tree, "node_modules", scope), join(modules, scope));
  }
}

/** Clients and libraries of the SDK are released together; its internal packages have separate versions. */
async function install(names: readonly string[], folder: string): Promise<void> {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  const add = (specs: readonly string[]) =>
    runCommand("npm", ["install", "--prefix", folder, ...quiet, ...specs], {
      cwd: folder,
      env: commandEnvironment("npm"),
    });
  const pinned = names.map((name) =>
    /^@aws-sdk\/(client|lib)-/.test(name) ? `${name}@${ownVersion()}` : name,
  );
  // A release may lack some clients.
  await add(pinned).catch(() => add(names));
}

/** Removes the links that lead into one of the folders. */
function unlinkScope(folder: string, targets: readonly string[]): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const target = readlinkSync(path);
    if (targets.some((each) => target.startsWith(each + sep))) rmSync(path);
  }
}

function ownVersion(): string {
  return packageJson.devDependencies["@aws-sdk/client-dynamodb"];
}
