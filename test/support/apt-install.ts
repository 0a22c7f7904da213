import { commandEnvironment } from "../../lib/toolchain/command-environment.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";

/** Installs packages of Debian or Ubuntu; returns why it could not, undefined where it did. */
export async function aptInstall(packages: readonly string[]): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return "apt-get installs for root alone";
  // Of two at once the later waits.
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
