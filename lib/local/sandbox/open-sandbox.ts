import { describeError } from "../../contract/errors.ts";
import type { CgroupRoot } from "../cgroup.ts";
import { type EnvironmentNetwork, machineNetwork } from "../environment-network.ts";
import { FunctionProcess } from "../function-process.ts";
import { newScratchFolder } from "../scratch-folder.ts";
import { makeSandbox, type Sandbox } from "./sandbox.ts";
import { temporaryMb } from "./temporary-disk.ts";

/** A sandbox, or the reason why this machine has none. */
type OpenedSandbox =
  | { readonly sandbox: Sandbox; readonly reason?: undefined }
  | { readonly sandbox?: undefined; readonly reason: string };

interface SandboxOptions {
  /** Address of the DNS server. @default this machine's DNS servers */
  readonly nameServer?: string | undefined;
  /** Network in which the sandbox is tried out. @default this machine's network */
  readonly network?: Pick<EnvironmentNetwork, "enter">;
  readonly platform?: string;
  readonly userId?: number | undefined;
}

/** Makes the environments' common parts and tries them out: only that shows whether this machine permits a sandbox. */
export async function openSandbox({
  nameServer,
  network = machineNetwork,
  platform = process.platform,
  userId = process.getuid?.(),
}: SandboxOptions = {}): Promise<OpenedSandbox> {
  if (platform !== "linux") return { reason: "there are mount namespaces on Linux alone" };
  if (userId !== 0) return { reason: "only root may mount file systems" };
  const folder = newScratchFolder("sandbox");
  let sandbox: Sandbox | undefined;
  try {
    sandbox = makeSandbox(folder, nameServer);
    await tryOut(sandbox, network);
    return { sandbox };
  } catch (error) {
    sandbox?.close();
    return { reason: failureText(error) };
  }
}

/** Throws if a program cannot be started in the sandbox. */
async function tryOut(sandbox: Sandbox, network: Pick<EnvironmentNetwork, "enter">): Promise<void> {
  const command = { command: "true", args: [], workingDirectory: "/tmp", environment: trialPath };
  const process = new FunctionProcess(command, network.enter(sandbox.launcher(command)));
  await process.prepared();
  process.release(() => undefined);
  const how = await process.exited;
  if (how !== "exit status 0") throw new Error(`a program in it ended with ${how}`);
}

const trialPath = { PATH: "/usr/bin:/bin" };

/** Returns the last line of the command's standard error or, if there is none, the error's message. */
function failureText(error: unknown): string {
  const { stderr } = error as { readonly stderr?: Buffer };
  const output = String(stderr ?? "").trim();
  return (output === "" ? describeError(error).message : output).split("\n").at(-1) ?? "";
}

/** Reasons why environments differ from Lambda's; absent if they do not. */
export interface EnvironmentLacks {
  readonly withoutSandbox?: string;
  readonly withoutNetwork?: string;
}

/** Returns the line at the start of a run that says how the environments here differ from Lambda's. */
export function describeSandbox(
  { withoutSandbox, withoutNetwork }: EnvironmentLacks,
  root: CgroupRoot | undefined,
): string {
  const frozen =
    root?.freezer === undefined
      ? "not frozen between calls (no cgroup freezer here)"
      : "frozen between calls";
  const files =
    withoutSandbox === undefined
      ? `a new /tmp of ${temporaryMb} MB each, read-only task root, user without rights`
      : `this machine's /tmp and the function's own files are shared by all of them (${withoutSandbox})`;
  const network =
    withoutNetwork === undefined
      ? "no network but their own loopback"
      : `in this machine's network (${withoutNetwork})`;
  return `environments: ${files}; ${network}; ${frozen}`;
}
