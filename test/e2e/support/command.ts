import { join } from "node:path";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { runCommand } from "../../../lib/toolchain/run-command.ts";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

/** `npm run kelvin -- ...` in the account; returns what it printed, throws when it fails. */
export async function kelvin(account: EmulatedAccount, ...args: readonly string[]) {
  return await runInAccount(account, ["--import", "tsx", "bin/kelvin.ts", ...args]);
}

/** `npx cdk ...` of the app as it is, its cloud assembly in a folder of the test's. */
export async function cdk(
  account: EmulatedAccount,
  folder: string,
  args: readonly string[],
): Promise<string> {
  const cli = join("node_modules", "aws-cdk", "bin", "cdk");
  return await runInAccount(account, [cli, ...args, "--output", folder, "--no-notices"]);
}

/** Without npm, which would take most of a second to find each of them. */
async function runInAccount(account: EmulatedAccount, args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const { AWS_PROFILE: _profile, AWS_SESSION_TOKEN: _token, ...own } = process.env;
  await runCommand(process.execPath, args, {
    cwd: projectPaths.root,
    env: { ...own, ...account.environment },
    onLine: (line) => lines.push(line),
  });
  return lines.join("\n");
}
