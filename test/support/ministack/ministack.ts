import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../../../lib/local/free-port.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { type PythonVenv, preparePythonVenv, pythonPath } from "../../../lib/toolchain/python.ts";
import { type EmulatedAccount, emulatedAccount } from "../emulated-account.ts";
import { EmulatorProcess } from "../emulator-process.ts";

const venv: PythonVenv = {
  folder: join(projectPaths.root, ".venv-ministack"),
  locks: [join(import.meta.dirname, "requirements.txt")],
  isCompiledLater: true,
};

/** MiniStack's own key: the CDK CLI and MiniStack identify an account by its key. */
const accessKeyId = "AKIAI44QH8DHBEXAMPLE";

export interface MiniStack {
  readonly account: EmulatedAccount;
  readonly process: EmulatorProcess;
  /** Folder that is removed by `stop`. */
  readonly folder: string;
  stop(): Promise<void>;
}

export async function prepareMiniStack(): Promise<void> {
  await preparePythonVenv({}, venv);
}

/** Starts unmodified MiniStack on loopback. It runs functions as processes, Python's with its own interpreter. */
export async function startMiniStack(): Promise<MiniStack> {
  await preparePythonVenv();
  await prepareMiniStack();
  const folder = mkdtempSync(join(tmpdir(), "kelvin-ministack-"));
  mkdirSync(join(folder, "tmp"));
  const port = String(await freePort());
  const endpoint = `http://127.0.0.1:${port}`;
  const emulator = await EmulatorProcess.start({
    command: pythonPath(venv),
    args: ["-m", "ministack"],
    environment: {
      PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(":"),
      HOME: folder,
      TMPDIR: join(folder, "tmp"),
      BIND_HOST: "127.0.0.1",
      MINISTACK_HOST: "127.0.0.1",
      GATEWAY_PORT: port,
      // MiniStack passes this to Rust functions; the others get its address anyway.
      AWS_ENDPOINT_URL: endpoint,
      NODE_PATH: join(projectPaths.root, "node_modules"),
    },
    folder,
    healthUrl: `${endpoint}/_ministack/health`,
  }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const account = emulatedAccount({ endpoint, commandEndpoint: endpoint, accessKeyId, folder });
  const stop = async () => {
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { account, process: emulator, folder, stop };
}
