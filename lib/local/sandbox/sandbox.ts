import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { FunctionCommand, Launcher } from "../function-process.ts";
import { type Mount, Skeleton, tableLine } from "./mounts.ts";
import { functionUser, makeTemporaryDisk, systemPath } from "./temporary-disk.ts";

/** Each environment's own /tmp, user and view of the machine's files, as Lambda makes them. */
export interface Sandbox {
  launcher(command: FunctionCommand): Launcher;
  close(): void;
}

/**
 * Makes what environments have in common in the folder: an empty root directory, an image of an empty /tmp. All that
 * is mounted is mounted in a namespace of the environment's processes alone, and is gone with the last of them,
 * however it ends. Throws where this system does not have what it takes.
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

/** The shell that waits for the word to start, where /bin/sh is not the system's own any more. */
const waitingShell = "/run/sh";

/** Lists what every function finds: its user's name, and bash as /bin/sh, which Amazon Linux has. */
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

/** The files that have all names resolved by one server, where they are links to. */
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
 * $1 the image to copy, $2 the copy, $3 the table of what to mount, $4 the new root, $5 the script that goes on in it.
 * The rest is for that one. No folder of the machine is left in sight, and no right of root.
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
 * $1 the working directory; the rest is the function's command. It may have as many files open as on Lambda:
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

/** One line of shell, whatever the values hold. */
export function exportLine(environment: Readonly<Record<string, string>>): string {
  const quoted = (value: string) =>
    `'${value.replaceAll("'", `'\\''`).replaceAll("\n", `'"$newline"'`)}'`;
  const exports = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  return `newline=$(printf '\\n.'); newline=\${newline%.}; unset PATH; export ${exports.join(" ")}`;
}
