import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { isMoved, isWithin, lambdaPlaces, type Mount, placeOf, seenIn } from "./places.ts";

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

/** Mounts a path at its place and, if it is a link, also its target at the target's place. */
export function visible(path: string): readonly Mount[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  const paths = new Set([resolve(path), real]);
  return [...paths].map((each) => ({ from: real, to: placeOf(each), path: each }));
}

/**
 * Lists what a program needs besides the system's folders: its installation folder (an interpreter keeps its
 * libraries next to `bin`), and that of every link on the way to it, as in a virtual environment.
 */
export function installationOf(command: string, home = homedir()): readonly Mount[] {
  const found: Mount[] = [];
  let path = resolve(command);
  for (let hops = 0; hops < mostHops && existsSync(path); hops += 1) {
    const folder = installationFolder(path, home);
    found.push(...visible(folder));
    if (existsSync(join(folder, settingsFile))) {
      const leading = [dirname(path), join(folder, settingsFile)].flatMap(visible);
      found.push(...leading.map((mount) => ({ ...mount, leadsElsewhere: true as const })));
    }
    if (!lstatSync(path).isSymbolicLink()) break;
    path = resolve(dirname(path), readlinkSync(path));
  }
  return found;
}

/** The file of a virtual environment that says where its Python is: https://docs.python.org/3/library/venv.html */
const settingsFile = "pyvenv.cfg";

/** `mostHops` is more links than any installation has. */
const mostHops = 20;

/**
 * Returns a program's installation folder. Of a user's home it is `bin` at most, and of a folder like /tmp, which
 * contains everybody's files, the program alone.
 */
function installationFolder(program: string, home: string): string {
  const folder = dirname(program);
  const above = dirname(folder);
  if (basename(folder) === "bin" && above !== home && above !== "/") return above;
  return folder === home || (dirname(folder) === "/" && basename(folder) !== "bin")
    ? program
    : folder;
}

/**
 * Copies a folder's links, or the settings of a virtual environment, with the places where the function sees what they
 * lead to. Scripts in the folder are left out: their first line names the interpreter's path on this machine.
 */
export function copyLinks(from: string, copy: string, seen: (path: string) => string): void {
  if (basename(from) === settingsFile) {
    const home = seen(dirname(realpathSync(join(dirname(from), "bin", "python"))));
    makeFile(
      copy,
      readFileSync(from, "utf8").replace(/^home *=.*$/m, () => `home = ${home}`),
    );
    return;
  }
  makeFolder(copy);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [path, to] = [join(from, entry.name), join(copy, entry.name)];
    if (entry.isDirectory()) copyLinks(path, to, seen);
    else if (entry.isSymbolicLink() && existsSync(path)) {
      symlinkSync(seen(realpathSync.native(path)), to);
    }
  }
}

/** Sorts mounts, outer ones first, and drops those that a system folder or another mount already covers. */
export function orderMounts(mounts: readonly Mount[], system: readonly string[]): readonly Mount[] {
  const kept: Mount[] = [];
  const sorted = mounts.toSorted((a, b) => a.to.length - b.to.length || (a.to < b.to ? -1 : 1));
  for (const mount of sorted) {
    const isOfSystem = system.some((name) => isWithin(mount.to, `/${name}`));
    // A folder mounted at its own path makes its links visible as well.
    const isShown = kept.some(
      ({ from, to, path }) =>
        isWithin(mount.to, to) &&
        (from === path || mount.from === from + mount.to.slice(to.length)),
    );
    if (!isOfSystem && !isShown) kept.push(mount);
  }
  return kept;
}

/** A Skeleton is the directory that becomes an environment's root. It contains only mount points. */
export class Skeleton {
  readonly root: string;
  readonly #system = listSystem();
  #copies = 0;

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
    const ordered = [
      ...orderMounts(mounts, this.#system.folders.concat(this.#linkNames())),
      ...this.#rewritten(mounts),
    ];
    for (const mount of ordered) this.#makePlace(mount);
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
      ...ordered.map((mount) => bind(mount, readOnly)),
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

  /** Returns copies of the mounts that lead to others, if any of these is moved: they cover the originals. */
  #rewritten(mounts: readonly Mount[]): readonly Mount[] {
    if (!mounts.some(isMoved)) return [];
    return mounts
      .filter(({ leadsElsewhere }) => leadsElsewhere)
      .map((mount) => {
        this.#copies += 1;
        const copy = `${this.root}-links/${this.#copies}`;
        copyLinks(mount.from, copy, seenIn(mounts));
        return { ...mount, from: copy };
      });
  }

  /** Creates the mount point. Within another mount, that has it. */
  #makePlace({ from, to }: Mount): void {
    const place = this.root + to;
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

function makeFile(path: string, text = ""): void {
  makeFolder(dirname(path));
  writeFileSync(path, text);
  chmodSync(path, 0o644);
}

/** https://man7.org/linux/man-pages/man5/fstab.5.html */
export function tableLine(from: string, to: string, options: string, type = "none"): string {
  const escaped = (path: string) =>
    path.replace(/[\s\\#]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return `${escaped(from)} ${escaped(to)} ${type} ${options} 0 0`;
}
