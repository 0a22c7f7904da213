import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "../../toolchain/command-environment.ts";

/** Name of the user that Lambda runs functions as; each environment's user and group have an id of their own. */
export const functionUser = "sbx_user1051";

/** Space in a new /tmp: https://docs.aws.amazon.com/lambda/latest/dg/configuration-ephemeral-storage.html */
export const temporaryMb = 512;

/** Space that ext4 needs for its own tables and reserve. */
const overheadMb = 20;

/** Some users' PATH lacks the folders of administration programs. */
export const systemPath = "/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Makes an image of an empty file system in the folder. It is copied for each environment and mounted as /tmp. It is
 * sparse, so it uses only the space that a function writes. Throws if this system cannot make or mount one.
 */
export function makeTemporaryDisk(folder: string): string {
  const image = join(folder, "tmp.img");
  const mounted = join(folder, "mounted");
  mkdirSync(mounted);
  // Without a journal, since nothing is read after a crash. https://man7.org/linux/man-pages/man8/mke2fs.8.html
  const features = ["-O", "^has_journal", "-m", "0", "-E", "lazy_itable_init=1"];
  run("mkfs.ext4", ["-q", "-F", ...features, image, `${temporaryMb + overheadMb}M`]);
  const inShell = ["/bin/sh", "-c", emptyRoot, "sh", image, mounted];
  run("unshare", ["--mount", "--propagation", "private", ...inShell]);
  return image;
}

/** Removes what mkfs creates in a new file system, and sets the mode that /tmp has on Lambda. */
const emptyRoot = `
set -e
mount -n -o loop,noinit_itable "$1" "$2"
rmdir "$2/lost+found"
chmod 700 "$2"
umount -n "$2"
`;

export function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, {
    env: { ...commandEnvironment("tool"), PATH: systemPath },
    stdio: ["ignore", "ignore", "pipe"],
  });
}
