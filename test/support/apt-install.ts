import { commandEnvironment } from "../../lib/toolchain/command-environment.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";

/** Installs Debian or Ubuntu packages; returns the reason if it failed, else undefined. */
export async function aptInstall(packages: readonly string[]): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "apt-get installs for root alone";
  // If two installations run at once, one waits for the other.
  const words = ["-q", "--yes", "-o", "DPkg::Lock::Timeout=300"];
  const env = commandEnvironment("apt");
  try {
    await runCommand("apt-get", ["update", "-q"], { env });
    await runCommand("apt-get", ["install", ...words, "--no-install-recommends", ...packages], {
      env,
    });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
