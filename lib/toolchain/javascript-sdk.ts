import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { makeCachedFolder } from "./cached-folder.ts";
import { commandEnvironment } from "./command-environment.ts";
import { isRepository, projectPaths } from "./project-paths.ts";
import { runCommand } from "./run-command.ts";

// Lambda's Node.js runtimes bring the whole AWS SDK for JavaScript v3:
// https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included

const scopes = ["@aws-sdk", "@smithy"] as const;

/** Folder of the repository's own packages, among them some of the SDK; undefined in an installed package. */
export const javascriptPackagesFolder: string | undefined = isRepository
  ? join(javascriptSdkFolder(), "..")
  : undefined;

/** The folder with the clients of the SDK that Kelvin itself uses. */
export function javascriptSdkFolder(): string {
  const own = createRequire(import.meta.url).resolve("@aws-sdk/client-s3/package.json");
  return join(own, "..", "..");
}

/** Links the packages of the SDK that the repository has into a folder of packages. */
export function linkOwnSdk(modules: string): void {
  const packages = javascriptPackagesFolder;
  if (packages === undefined) return;
  for (const scope of scopes) linkScope(join(packages, scope), join(modules, scope));
}

/**
 * Links every package of a layer's folder of packages into another one, where there is none of its name: what was
 * linked before comes first. Both folders may be found at other places later, as long as one is as far from the other.
 */
export function linkPackages(from: string, modules: string): void {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from).filter((each) => !each.startsWith("."))) {
    const [target, path] = [join(from, name), join(modules, name)];
    if (name.startsWith("@")) linkScope(target, path, relativeTo);
    else link(relativeTo(target, path), path);
  }
}

/** The target as a link at the path finds it. */
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

/** The package of the SDK that an error of Node.js says is missing; undefined where it is another or none. */
export function missingSdkPackage(message: string): string | undefined {
  return /Cannot find (?:module|package) '(@(?:aws-sdk|smithy)\/[\w.-]+)/.exec(message)?.[1];
}

interface SdkOptions {
  readonly say: (line: string) => void;
  /** @default the project's cache */
  readonly cache?: string;
}

/**
 * Puts packages of the SDK into a folder of packages, in place of all of the SDK that it had but a layer's: as npm
 * brings them, once, and from the cache afterwards. They come as one tree, so that what they have in common is loaded
 * once, as on Lambda. A client is of the version that Kelvin's own are of. Throws where npm cannot bring one.
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

/** Clients and libraries of the SDK are released together; its inner packages have versions of their own. */
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
  // A release has not always every client.
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
