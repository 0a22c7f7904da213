import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { newScratchFolder } from "../../lib/local/scratch-folder.ts";
import { commandEnvironment } from "../../lib/toolchain/command-environment.ts";
import { isRepository, projectPaths } from "../../lib/toolchain/project-paths.ts";

/** The module of bin that makes the stack. */
type CdkApp = "app" | "empty-app";

/** Options of the CDK's whose value is a file or folder. */
const pathOptions = ["--output", "-o", "--outputs-file", "-O"];

/** How the CDK's command is started where another command needs it. */
interface CdkOptions {
  /** Ends it: Ctrl-C does not reach it by itself. */
  readonly signal: AbortSignal;
  /** Is told what it prints, line by line. */
  readonly onLine: (line: string) => void;
}

/**
 * The CDK's command on one of the apps of bin, in this terminal, so that it may ask before it changes anything,
 * and with the caller's credentials. It is started in the folder that cdk.json is in, which has the feature
 * flags; paths among the words are taken from where kelvin was called. Returns its exit code.
 */
export async function runCdk(
  app: CdkApp,
  words: readonly string[],
  options?: CdkOptions,
): Promise<number> {
  const packageJson = createRequire(import.meta.url).resolve("aws-cdk/package.json");
  const scratch = newScratchFolder("cdk");
  try {
    const script = join(packageJson, "..", "bin", "cdk");
    const args = cdkArguments(app, words, scratch);
    return options === undefined
      ? await exitCodeOf(script, args)
      : await exitCodeOfPart(script, args, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the CDK's command is called with; `scratch` is a folder that is removed after it. */
export function cdkArguments(
  app: CdkApp,
  words: readonly string[],
  scratch: string,
): readonly string[] {
  const command = isRepository ? `node --import tsx bin/${app}.ts` : `node dist/bin/${app}.mjs`;
  const hasOutput = words.some((word) => /^(-o|--output)(=|$)/.test(word));
  // A package's folder is none to write to, and an empty stack none to be found in cdk.out later.
  const isKept = hasOutput || (isRepository && app === "app");
  const output = isKept ? [] : ["--output", scratch];
  return [...withAbsolutePaths(words), "--app", command, ...output];
}

/** The value of an option of the CDK's, in either of its two forms: --name value, --name=value. */
export function optionValue(option: string, words: readonly string[]): string | undefined {
  const at = words.indexOf(option);
  if (at >= 0) return words[at + 1];
  return words.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1);
}

function withAbsolutePaths(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    if (pathOptions.includes(words[index - 1] ?? "")) return resolve(word);
    const [option = "", path] = word.split(/=(.*)/s);
    return path !== undefined && pathOptions.includes(option) ? `${option}=${resolve(path)}` : word;
  });
}

async function exitCodeOf(script: string, args: readonly string[]): Promise<number> {
  const cdk = spawn(process.execPath, [script, ...args], {
    cwd: projectPaths.root,
    env: commandEnvironment("cdk"),
    stdio: "inherit",
  });
  // Ctrl-C reaches both: the CDK says what becomes of the deployment, and ends first.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    return await new Promise<number>((settle, reject) => {
      cdk.once("error", reject);
      cdk.once("exit", (status) => settle(status ?? 1));
    });
  } finally {
    process.off("SIGINT", ignore);
  }
}

/** As a part of a command, which tells of it in its own words; it asks nothing. */
async function exitCodeOfPart(
  script: string,
  args: readonly string[],
  { signal, onLine }: CdkOptions,
): Promise<number> {
  const cdk = spawn(process.execPath, [script, ...args], {
    cwd: projectPaths.root,
    env: commandEnvironment("cdk"),
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own: the terminal sends Ctrl-C to the command's alone.
    detached: true,
  });
  for (const input of [cdk.stdout, cdk.stderr]) createInterface({ input }).on("line", onLine);
  const stop = () => cdk.kill("SIGINT");
  signal.addEventListener("abort", stop);
  try {
    return await new Promise<number>((settle, reject) => {
      cdk.once("error", reject);
      cdk.once("close", (status) => settle(status ?? 1));
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
