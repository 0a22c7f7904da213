import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall } from "./apt-install.ts";

/** Debian and Ubuntu packages of the CPU emulator, and of arm64's C library and loader. */
const packages = ["qemu-user-static", "libc6-arm64-cross"] as const;
const emulators = ["qemu-aarch64-static", "qemu-aarch64"];
const library = "/usr/aarch64-linux-gnu";

/**
 * Returns the arguments that precede an arm64 binary to run it here; none on an arm64 machine. Installs the emulator
 * if possible. Throws with what to install if not.
 */
export async function arm64Runner(): Promise<readonly string[]> {
  if (process.platform === "linux" && process.arch === "arm64") return [];
  return installedRunner() ?? (await installRunner());
}

function installedRunner(): readonly string[] | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const emulator = emulators
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  const isWhole = emulator !== undefined && existsSync(join(library, "lib"));
  return isWhole ? [emulator, "-L", library] : undefined;
}

async function installRunner(): Promise<readonly string[]> {
  const failure = await aptInstall(packages);
  const runner = installedRunner();
  if (runner !== undefined) return runner;
  throw new Error(
    `arm64 functions: found no ${emulators.join(" or ")} on PATH with ${library}; ` +
      `install ${packages.join(" and ")} (Debian, Ubuntu) as root: ${failure}`,
  );
}
