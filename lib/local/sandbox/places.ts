import { existsSync } from "node:fs";
import { join } from "node:path";

/** A Mount is a file or folder of this machine that a function sees, read-only, at a path of its own. */
export interface Mount {
  readonly from: string;
  /** Absolute path as the function sees it. */
  readonly to: string;
  /** Path by which commands and variables name it. @default `from` */
  readonly path?: string;
  /** Whether it is a folder of links, or a file, that leads to other mounts. @default false */
  readonly leadsElsewhere?: true;
}

/** `lambdaPlaces` are the folders of a function's files on Lambda. */
export const lambdaPlaces = {
  taskRoot: "/var/task",
  runtimeDir: "/var/runtime",
  layers: "/opt",
} as const;

/** Folders of the root that are the function's own: it finds in them what Lambda has there, and nothing of this machine. */
const ownFolders: readonly string[] = ["dev", "opt", "proc", "run", "sys", "tmp", "var"];

/** Where a function sees what this machine has in one of these folders. */
const machineFolder = "/run/machine";

/** Returns the path at which a function sees a file or folder of this machine. */
export function placeOf(path: string): string {
  const [, top = ""] = path.split("/");
  return ownFolders.includes(top) ? machineFolder + path : path;
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns whether the function sees the mount at another path than the one by which this machine names it. */
export function isMoved({ to, path }: Mount): boolean {
  return path !== undefined && path !== to;
}

/** Returns what names this machine's paths to a function; it leaves paths of the function's own files as they are. */
export function seenIn(mounts: readonly Mount[]): (path: string) => string {
  const longestFirst = mounts
    .flatMap(({ from, to, path }) =>
      path === undefined ? [to, from].map((each) => ({ to, path: each })) : [{ to, path }],
    )
    .toSorted((a, b) => b.path.length - a.path.length);
  return (path) => {
    const mount = longestFirst.find((each) => isWithin(path, each.path));
    return mount === undefined ? path : mount.to + path.slice(mount.path.length);
  };
}

/**
 * Returns the variables with paths as the function sees them. The library of a moved Python is added, because programs
 * may name it by its path here.
 */
export function variablesSeenIn(
  mounts: readonly Mount[],
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const seen = seenIn(mounts);
  const told = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.split(":").map(seen).join(":")]),
  );
  const libraries = mounts
    .filter((mount) => isMoved(mount) && existsSync(join(mount.from, "lib", "libpython3.so")))
    .map(({ to }) => join(to, "lib"));
  if (libraries.length === 0) return told;
  return { ...told, LD_LIBRARY_PATH: [told.LD_LIBRARY_PATH ?? [], libraries].flat().join(":") };
}
