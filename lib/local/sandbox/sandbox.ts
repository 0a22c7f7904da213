import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { FunctionCommand, Launcher } from "../function-process.ts";
import { Skeleton, tableLine } from "./mounts.ts";
import { type Mount, seenIn, variablesSeenIn } from "./places.ts";
import { functionUser, makeTemporaryDisk, run, systemPath } from "./temporary-disk.ts";

/** A Sandbox gives each environment its own /tmp, user and view of the machine's files, as on Lambda. */
export interface Sandbox {
  launcher(command: FunctionCommand): Launcher;
  close(): void;
}

/**
 * Makes the environments' common parts in the folder: an empty root directory, and an image of an empty /tmp. All
 * mounts are in a namespace of the environment's processes, and disappear with the last of them, however it ends.
 * Throws if this system cannot do this.
 * https://man7.org/linux/man-pages/man7/mount_namespaces.7.html
 */
export function makeSandbox(folder: string, nameServer?: string): Sandbox {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const template = makeTemporaryDisk(folder);
  const skeleton = new Skeleton(join(folder, "root"));
  const common = [...shellMounts(), ...resolverMounts(folder, nameServer)];
  for (const { to } of common) skeleton.addFile(to);
  skeleton.addFile(usersFile);
  const users = readFileSync(usersFile, "utf8").trimEnd();
  const place = join(skeleton.root, "tmp");
  const processes = processesLine(skeleton.root, join(folder, "mounted"));
  let made = 0;
  return {
    launcher: (command) => {
      const { mounts = [], environment } = command;
      made += 1;
      const image = join(folder, `tmp-${made}.img`);
      const table = join(folder, `fstab-${made}`);
      const passwd = join(folder, `passwd-${made}`);
      const uid = randomInt(...userIds);
      writeFileSync(passwd, `${users}\n${userLine(uid)}\n`, { mode: 0o644 });
      const over = [{ from: passwd, to: usersFile }, ...common];
      const own = [processes, tableLine(image, place, "loop,noinit_itable,nosuid,nodev", "ext4")];
      writeFileSync(table, skeleton.fileSystemTable(over, own, mounts));
      return {
        command: "unshare",
        args: unshareArguments([`${uid}:${uid}`, template, image, table, skeleton.root], command),
        environment: { PATH: systemPath },
        variables: exportLine(variablesSeenIn(mounts, environment)),
        release: () => {
          for (const path of [image, table, passwd]) rmSync(path, { force: true });
        },
      };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The shell that waits for the start signal, since a mount may have replaced the system's /bin/sh. */
const waitingShell = "/run/sh";

/**
 * The range of ids for environments' users and groups, which systemd leaves unused, so that no file of the system is
 * theirs: https://systemd.io/UIDS-GIDS/
 */
const userIds = [1_900_000_000, 2_100_000_000] as const;

const usersFile = "/etc/passwd";

/** Returns the line of passwd(5) for an environment's user. */
function userLine(uid: number): string {
  return `${functionUser}:x:${uid}:${uid}::/home/${functionUser}:/sbin/nologin`;
}

/**
 * Returns the line that mounts a /proc with the environment's own processes alone or, before Linux 5.8, which has no
 * such mount of its own, this machine's. https://docs.kernel.org/filesystems/proc.html#mount-options
 */
function processesLine(root: string, trialPlace: string): string {
  const place = join(root, "proc");
  const options = "hidepid=invisible,nosuid,nodev,noexec";
  const trial = ["mount", "-n", "-t", "proc", "-o", options, "proc", trialPlace];
  try {
    run("unshare", ["--mount", "--propagation", "private", ...trial]);
    return tableLine("proc", place, options, "proc");
  } catch {
    return tableLine("/proc", place, "rbind");
  }
}

/** Returns bash as /bin/sh, as on Amazon Linux, and the shell that waits for the start signal. */
function shellMounts(): readonly Mount[] {
  const shell = realpathSync("/bin/sh");
  const waiting = { from: shell, to: waitingShell };
  if (!existsSync("/bin/bash")) return [waiting];
  return [waiting, { from: realpathSync("/bin/bash"), to: shell }];
}

/** Returns the files that make one server resolve all names. If such a file is a link, its target is replaced. */
function resolverMounts(folder: string, nameServer: string | undefined): readonly Mount[] {
  if (nameServer === undefined) return [];
  const texts = {
    "/etc/resolv.conf": `nameserver ${nameServer}\noptions timeout:1 attempts:1\n`,
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
  };
  return Object.entries(texts)
    .filter(([path]) => existsSync(path))
    .map(([path, text]) => {
      const from = join(folder, basename(path));
      writeFileSync(from, text, { mode: 0o644 });
      return { from, to: realpathSync(path) };
    });
}

/**
 * $1 is the user, $2 the image to copy, $3 the copy, $4 the mount table, $5 the new root, $6 the inner script; the
 * rest are the inner script's arguments. Afterwards no other folder of the machine is visible, and root's rights are
 * gone.
 */
const outer = `
set -e
cp "$2" "$3"
mount -n -a -T "$4"
chown "$1" "$5/tmp"
user=$1
root=$5
script=$6
shift 6
exec chroot --userspec="$user" --groups= "$root" ${waitingShell} -c "$script" sh "$@"
`;

/**
 * $1 is the working directory; the rest is the function's command. The limits on open files and on processes (`-u` in
 * bash, `-p` in dash) are Lambda's: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const inner = `
umask 022
ulimit -n 1024 2> /dev/null
ulimit -u 1024 2> /dev/null || ulimit -p 1024 2> /dev/null
cd "$1" || exit 126
shift
unset PWD OLDPWD
read -r variables <&3
eval "$variables"
echo ready >&3
read -r word <&3 || exit 1
exec "$@" 3<&-
`;

/** Returns unshare's arguments for a command in the sandbox. `places` are $1 to $5 of the outer script. */
function unshareArguments(
  places: readonly string[],
  { command, args, workingDirectory, mounts = [] }: FunctionCommand,
): readonly string[] {
  const shell = ["--mount", "--ipc", "--propagation", "private", "/bin/sh", "-c", outer, "sh"];
  return [...shell, ...places, inner, ...[workingDirectory, command, ...args].map(seenIn(mounts))];
}

/** Returns the variables as one line of shell, whatever their values contain. */
export function exportLine(environment: Readonly<Record<string, string>>): string {
  const quoted = (value: string) =>
    `'${value.replaceAll("'", `'\\''`).replaceAll("\n", `'"$newline"'`)}'`;
  const exports = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  return `newline=$(printf '\\n.'); newline=\${newline%.}; unset PATH; export ${exports.join(" ")}`;
}
