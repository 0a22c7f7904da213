import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** A Mount is a file or folder of this machine that a function sees, read-only, at a path of its own. */
export interface Mount {
  readonly from: string;
  /** Absolute path as the function sees it. */
  readonly to: string;
}

/** `lambdaPlaces` are the folders of a function's files on Lambda. */
export const lambdaPlaces = {
  taskRoot: "/var/task",
  runtimeDir: "/var/runtime",
  layers: "/opt",
} as const;

/** Folders of the system's programs and libraries; on some systems, some are links. */
const systemFolders = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "nix", "etc"];

/** Lists the system folders in a root directory, and those that are links. */
export function listSystem(root = "/"): {
  readonly folders: readonly string[];
  readonly links: readonly (readonly [name: string, target: string])[];
} {
  const there = systemFolders.filter((name) => existsSync(join(root, name)));
  const isLink = (name: string) => lstatSync(join(root, name)).isSymbolicLink();
  return {
    folders: there.filter((name) => !isLink(name)),
    links: there.filter(isLink).map((name) => [name, readlinkSync(join(root, name))]),
  };
}

/** Mounts a path at its own place and, if it is a link, also its target at the target's place. */
export function visible(path: string): readonly Mount[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  const itself = { from: real, to: resolve(path) };
  return real === itself.to ? [itself] : [itself, { from: real, to: real }];
}

/**
 * Lists what a program needs besides the system's folders: its installation folder (an interpreter keeps its
 * libraries next to `bin`), and that of every link on the way to it, as in a virtual environment.
 */
export function installationOf(command: string, home = homedir()): readonly Mount[] {
  const found: Mount[] = [];
  let path = resolve(command);
  for (let hops = 0; hops < mostHops && existsSync(path); hops += 1) {
    found.push(...visible(installationFolder(path, home)));
    if (!lstatSync(path).isSymbolicLink()) break;
    path = resolve(dirname(path), readlinkSync(path));
  }
  return found;
}

/** `mostHops` is more links than any installation has. */
const mostHops = 20;

/** Returns a program's installation folder, but never a user's home, even if the program is in its `bin`. */
function installationFolder(program: string, home: string): string {
  const folder = dirname(program);
  const above = dirname(folder);
  return basename(folder) === "bin" && above !== home && above !== "/" ? above : folder;
}

/** Sorts mounts, outer ones first, and drops those that a system folder or another mount already covers. */
export function orderMounts(mounts: readonly Mount[], system: readonly string[]): readonly Mount[] {
  const kept: Mount[] = [];
  const sorted = mounts.toSorted((a, b) => a.to.length - b.to.length || (a.to < b.to ? -1 : 1));
  for (const mount of sorted) {
    const isOfSystem = system.some((name) => isWithin(mount.to, `/${name}`));
    // A folder mounted at its own path makes its links visible as well.
    const isShown = kept.some(
      ({ from, to }) =>
        isWithin(mount.to, to) && (from === to || mount.from === from + mount.to.slice(to.length)),
    );
    if (!isOfSystem && !isShown) kept.push(mount);
  }
  return kept;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** A Skeleton is the directory that becomes an environment's root. It contains only mount points. */
export class Skeleton {
  readonly root: string;
  readonly #system = listSystem();

  constructor(root: string) {
    this.root = root;
    // Modes are set explicitly, despite the caller's umask: a function neither owns the root nor is in its group.
    makeFolder(root);
    for (const name of ["dev", "proc", "sys", "tmp", "run", "home", "var"]) this.#folder(name);
    for (const name of this.#system.folders) this.#folder(name);
    for (const [name, target] of this.#system.links) symlinkSync(target, join(root, name));
    for (const { to } of deviceMounts) makeFile(join(root, to));
    for (const [descriptor, name] of ["stdin", "stdout", "stderr"].entries()) {
      symlinkSync(`/proc/self/fd/${descriptor}`, join(root, "dev", name));
    }
    symlinkSync("/proc/self/fd", join(root, "dev", "fd"));
    for (const place of Object.values(lambdaPlaces)) this.#folder(place);
    // Relative links to packages of layers lead here.
    for (const name of ["opt", "runtime/opt"]) symlinkSync("/opt", join(root, "var", name));
  }

  /**
   * Returns the fstab(5) lines for a function: the system's folders with `over`, the file systems of its own, and the
   * mounts.
   * @param over mounts inside the system's folders, and files in place of the skeleton's
   * @param own lines of /proc and /tmp
   */
  fileSystemTable(
    over: readonly Mount[],
    own: readonly string[],
    mounts: readonly Mount[],
  ): string {
    const ordered = orderMounts(mounts, this.#system.folders.concat(this.#linkNames()));
    for (const mount of ordered) this.#makePlace(mount, ordered);
    const bind = ({ from, to }: Mount, options: string) => tableLine(from, this.root + to, options);
    const readOnly = "bind,ro,nosuid,nodev";
    return [
      tableLine(this.root, this.root, readOnly),
      ...this.#system.folders.map((name) =>
        tableLine(`/${name}`, join(this.root, name), "rbind,ro,nosuid,nodev"),
      ),
      // Not recursive, so that functions see no cgroups, as on Lambda.
      tableLine("/sys", join(this.root, "sys"), readOnly),
      ...deviceMounts.map((mount) => bind(mount, "bind")),
      ...over.map((mount) => bind(mount, readOnly)),
      ...own,
      ...ordered.map((mount) => bind(mount, `${readOnly},X-mount.mkdir`)),
      "",
    ].join("\n");
  }

  /** Creates the mount point of a file for all functions, unless it is in a system folder, where it exists. */
  addFile(path: string): void {
    const system = [...this.#system.folders, ...this.#linkNames()];
    if (!system.some((name) => isWithin(path, `/${name}`))) makeFile(this.root + path);
  }

  #linkNames(): readonly string[] {
    return this.#system.links.map(([name]) => name);
  }

  #folder(name: string): void {
    makeFolder(join(this.root, name));
  }

  /** Creates the mount point, inside an enclosing mount's source if there is one; /tmp gets its own later. */
  #makePlace({ from, to }: Mount, all: readonly Mount[]): void {
    if (isWithin(to, "/tmp")) return;
    const outer = all.findLast((other) => other.to !== to && isWithin(to, other.to));
    const place = outer === undefined ? this.root + to : outer.from + to.slice(outer.to.length);
    if (existsSync(place)) return;
    if (statSync(from).isDirectory()) makeFolder(place);
    else makeFile(place);
  }
}

const deviceMounts: readonly Mount[] = ["null", "zero", "full", "random", "urandom", "tty"]
  .map((name) => `/dev/${name}`)
  .filter(existsSync)
  .map((path) => ({ from: path, to: path }));

/** Creates the folder and its missing parents, all with the same mode. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
  chmodSync(path, 0o755);
}

function makeFile(path: string): void {
  makeFolder(dirname(path));
  writeFileSync(path, "", { mode: 0o644 });
}

/** https://man7.org/linux/man-pages/man5/fstab.5.html */
export function tableLine(from: string, to: string, options: string, type = "none"): string {
  const escaped = (path: string) =>
    path.replace(/[\s\\#]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return `${escaped(from)} ${escaped(to)} ${type} ${options} 0 0`;
}
