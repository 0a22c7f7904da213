import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bootstrapClient, requireBootstrap } from "../../lib/aws/bootstrap-stack.ts";
import { commandEnvironment } from "../../lib/toolchain/command-environment.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

/**
 * `kelvin deploy`: sees that the CDK's bootstrap is there, and hands the words to `cdk deploy`. The CDK itself
 * finds out only when it uploads, after the Rust functions were built. Returns the exit code.
 * Throws InvalidInput where a deploy could not succeed.
 */
export async function deploy(words: readonly string[]): Promise<number> {
  const client = await bootstrapClient(optionValue("--profile", words));
  const unchecked = await requireBootstrap(client, optionValue("--toolkit-stack-name", words));
  if (unchecked !== undefined) process.stderr.write(`${unchecked}\n`);
  return await runCdk(["deploy", ...words]);
}

/** The value of an option of the CDK's, in either of its two forms: --name value, --name=value. */
function optionValue(option: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(option);
  if (at >= 0) return words[at + 1];
  return words.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1);
}

/** In this terminal, so that it may ask before it widens permissions, and with the caller's credentials. */
async function runCdk(words: readonly string[]): Promise<number> {
  const packageJson = createRequire(import.meta.url).resolve("aws-cdk/package.json");
  const cdk = spawn(process.execPath, [join(packageJson, "..", "bin", "cdk"), ...words], {
    cwd: projectPaths.root,
    env: commandEnvironment("cdk"),
    stdio: "inherit",
  });
  // Ctrl-C reaches both: the CDK says what becomes of the deployment, and ends first.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  const code = await new Promise<number>((resolve, reject) => {
    cdk.once("error", reject);
    cdk.once("exit", (status) => resolve(status ?? 1));
  });
  process.off("SIGINT", ignore);
  return code;
}
