import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { FunctionCommand, Launcher } from "../function-process.ts";
import { type Mount, Skeleton, tableLine } from "./mounts.ts";
import { functionUser, makeTemporaryDisk, systemPath } from "./temporary-disk.ts";

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
  const common = [...commonMounts(folder), ...resolverMounts(folder, nameServer)];
  for (const { to } of common) skeleton.addFile(to);
  const place = join(skeleton.root, "tmp");
  let made = 0;
  return {
    launcher: (command) => {
      made += 1;
      const image = join(folder, `tmp-${made}.img`);
      const table = join(folder, `fstab-${made}`);
      const temporary = tableLine(image, place, "loop,noinit_itable,nosuid,nodev", "ext4");
      writeFileSync(table, skeleton.fileSystemTable(common, temporary, command.mounts ?? []));
      return {
        command: "unshare",
        args: [
          ...["--mount", "--propagation", "private", "/bin/sh", "-c", outer, "sh"],
          ...[template, image, table, skeleton.root, inner, command.workingDirectory],
          ...[command.command, ...command.args],
        ],
        environment: { PATH: systemPath },
        variables: exportLine(command.environment),
        release: () => {
          rmSync(image, { force: true });
          rmSync(table, { force: true });
        },
      };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The shell that waits for the start signal, since a mount may have replaced the system's /bin/sh. */
const waitingShell = "/run/sh";

/** Lists what every function sees: its user's name, and bash as /bin/sh, as on Amazon Linux. */
function commonMounts(folder: string): readonly Mount[] {
  const users = join(folder, "passwd");
  const { name, uid, gid } = functionUser;
  const own = `${name}:x:${uid}:${gid}::/home/${name}:/sbin/nologin`;
  writeFileSync(users, `${readFileSync("/etc/passwd", "utf8").trimEnd()}\n${own}\n`, {
    mode: 0o644,
  });
  const shell = realpathSync("/bin/sh");
  const mounts = [
    { from: users, to: "/etc/passwd" },
    { from: shell, to: waitingShell },
  ];
  return existsSync("/bin/bash")
    ? [...mounts, { from: realpathSync("/bin/bash"), to: shell }]
    : mounts;
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
 * $1 is the image to copy, $2 the copy, $3 the mount table, $4 the new root, $5 the inner script; the rest are the
 * inner script's arguments. Afterwards no other folder of the machine is visible, and root's rights are gone.
 */
const outer = `
set -e
cp "$1" "$2"
mount -n -a -T "$3"
root=$4
script=$5
shift 5
exec chroot --userspec=${functionUser.uid}:${functionUser.gid} --groups= "$root" ${waitingShell} -c "$script" sh "$@"
`;

/**
 * $1 is the working directory; the rest is the function's command. The limit on open files is Lambda's:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const inner = `
umask 022
ulimit -n 1024 2> /dev/null
cd "$1" || exit 126
shift
unset PWD OLDPWD
read -r variables <&3
eval "$variables"
echo ready >&3
read -r word <&3 || exit 1
exec "$@" 3<&-
`;

/** Returns the variables as one line of shell, whatever their values contain. */
export function exportLine(environment: Readonly<Record<string, string>>): string {
  const quoted = (value: string) =>
    `'${value.replaceAll("'", `'\\''`).replaceAll("\n", `'"$newline"'`)}'`;
  const exports = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  return `newline=$(printf '\\n.'); newline=\${newline%.}; unset PATH; export ${exports.join(" ")}`;
}
