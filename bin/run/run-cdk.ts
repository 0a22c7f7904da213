import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import {
  type AccountAccess,
  accountAccess,
  describeAccount,
  needsCode,
} from "../../lib/aws/account-access.ts";
import { newScratchFolder } from "../../lib/local/scratch-folder.ts";
import { cdkNode } from "../../lib/toolchain/cdk-node.ts";
import { packagedAppArguments, prepareCdk } from "../../lib/toolchain/cdk-packages.ts";
import { wholeEnvironment } from "../../lib/toolchain/command-environment.ts";
import { isRepository, projectPaths } from "../../lib/toolchain/project-paths.ts";

/** The module of bin that defines the stack. */
type CdkApp = "app" | "empty-app";

/** CDK options whose value is a file or folder. */
const pathOptions = ["--output", "-o", "--outputs-file", "-O"];

/** Options for starting the CDK as a part of another command. */
interface CdkOptions {
  /** Stops the CDK: Ctrl-C does not reach it by itself. */
  readonly signal: AbortSignal;
  /** Called with each line that it prints. */
  readonly onLine: (line: string) => void;
}

/**
 * Runs the CDK on an app of bin, with the caller's credentials and in this terminal, so that it may ask before it
 * changes anything. It starts in the folder of cdk.json, which has the feature flags; paths among the args are
 * relative to where kelvin was called. Returns its exit code.
 */
export async function runCdk(
  app: CdkApp,
  args: readonly string[],
  options?: CdkOptions,
): Promise<number> {
  const say = options?.onLine ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const access = await accountAccess({ profile: optionValue("--profile", args) });
  say(await describeAccount(access));
  const node = await cdkNode({ say });
  const packages = await prepareCdk({ say });
  const scratch = newScratchFolder("cdk");
  try {
    const appArguments = isRepository
      ? `--import tsx bin/${app}.ts`
      : packagedAppArguments(app, packages, join(scratch, "app"));
    // The CDK strips quotation marks from both ends.
    const command = `exec "${node}" ${appArguments}`;
    const own = needsCode() ? withoutProfile(args) : args;
    const cdkArgs = cdkArguments(app, own, { command, scratch: join(scratch, "assembly") });
    const script = join(packages, "aws-cdk", "bin", "cdk");
    const started = { node, args: [script, ...cdkArgs], env: await cdkEnvironment(access) };
    return options === undefined
      ? await exitCodeOf(started)
      : await exitCodeOfPart(started, options);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface AppCommand {
  readonly command: string;
  /** A folder that is removed once the command has ended. */
  readonly scratch: string;
}

/** Options that choose the CDK's bootstrap. */
export interface BootstrapOptions {
  readonly qualifier?: string | undefined;
  readonly toolkitStack?: string | undefined;
}

/** https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html */
export const qualifierKey = "@aws-cdk/core:bootstrapQualifier";

export function bootstrapArguments(options: BootstrapOptions): readonly string[] {
  const { qualifier, toolkitStack } = options;
  return [
    ...(qualifier === undefined ? [] : ["-c", `${qualifierKey}=${qualifier}`]),
    ...(toolkitStack === undefined ? [] : ["--toolkit-stack-name", toolkitStack]),
  ];
}

/** Returns the arguments of the CDK's command. */
export function cdkArguments(
  app: CdkApp,
  args: readonly string[],
  { command, scratch }: AppCommand,
): readonly string[] {
  const hasOutput = args.some((word) => /^(-o|--output)(=|$)/.test(word));
  // An installed package's folder is not writable, and an empty stack should not be left in cdk.out.
  const isKept = hasOutput || (isRepository && app === "app");
  const output = isKept ? [] : ["--output", scratch];
  return [...withAbsolutePaths(args), "--app", command, ...output];
}

/** Returns the value of a CDK option, in either form: --name value, --name=value. */
export function optionValue(option: string, args: readonly string[]): string | undefined {
  const at = args.indexOf(option);
  if (at >= 0) return args[at + 1];
  return args.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1);
}

function withoutProfile(args: readonly string[]): readonly string[] {
  return args.filter(
    (word, index) =>
      word !== "--profile" && !word.startsWith("--profile=") && args[index - 1] !== "--profile",
  );
}

function withAbsolutePaths(args: readonly string[]): readonly string[] {
  return args.map((word, index) => {
    if (pathOptions.includes(args[index - 1] ?? "")) return resolve(word);
    const [option = "", path] = word.split(/=(.*)/s);
    return path !== undefined && pathOptions.includes(option) ? `${option}=${resolve(path)}` : word;
  });
}

/**
 * Returns the caller's whole environment. If an MFA code was already typed, its credentials replace the profile, so
 * that the CDK does not ask for another code.
 */
export async function cdkEnvironment(access: AccountAccess): Promise<NodeJS.ProcessEnv> {
  const whole = wholeEnvironment();
  if (!needsCode()) return whole;
  const { AWS_PROFILE: _, AWS_DEFAULT_PROFILE: __, ...others } = whole;
  const { accessKeyId, secretAccessKey, sessionToken } = await access.credentials();
  return {
    ...others,
    AWS_REGION: access.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
  };
}

interface StartedCdk {
  readonly node: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

async function exitCodeOf({ node, args, env }: StartedCdk): Promise<number> {
  const cdk = spawn(node, args, { cwd: projectPaths.root, env, stdio: "inherit" });
  // Ctrl-C reaches both processes. This one waits, since the CDK reports the deployment's state and ends first.
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

/** Runs the CDK as a part of a command, which shows its progress. The CDK cannot ask anything. */
async function exitCodeOfPart(
  { node, args, env }: StartedCdk,
  { signal, onLine }: CdkOptions,
): Promise<number> {
  const cdk = spawn(node, args, {
    cwd: projectPaths.root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group, which the terminal's Ctrl-C does not reach.
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
