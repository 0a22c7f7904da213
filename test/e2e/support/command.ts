import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { runCommand } from "../../../lib/toolchain/run-command.ts";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

/** Runs a command of the README in the account; returns what it printed, throws when it fails. */
export async function runInAccount(
  account: EmulatedAccount,
  args: readonly string[],
): Promise<string> {
  const lines: string[] = [];
  const { AWS_PROFILE: _profile, AWS_SESSION_TOKEN: _token, ...own } = process.env;
  await runCommand("npx", args, {
    cwd: projectPaths.root,
    env: { ...own, ...account.environment },
    onLine: (line) => lines.push(line),
  });
  return lines.join("\n");
}

/** `npx cdk ...` of the app as it is, its cloud assembly in a folder of the test's. */
export async function cdk(
  account: EmulatedAccount,
  folder: string,
  args: readonly string[],
): Promise<string> {
  return await runInAccount(account, ["cdk", ...args, "--output", folder, "--no-notices"]);
}
