import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeError } from "../../contract/errors.ts";
import type { Cell } from "../../contract/types/contract.ts";
import type { InstalledEngine } from "../../toolchain/engines/installed-engine.ts";
import { rustBinaryPath } from "../../toolchain/rust-build.ts";
import { type DriverCommand, EngineFailed } from "./engine-driver.ts";
import { dynoxideBinary, type EngineKind, engineKinds, httpDriverBinary } from "./engine-kinds.ts";
import { EngineTarget } from "./engine-target.ts";

/** What became of an engine's installation: its visits fail with the reason where there is none. */
export type Installation = InstalledEngine | { readonly reason: string };

export interface EngineSession {
  readonly target: EngineTarget;
  /** Ends what runs and removes what it left. */
  close(): Promise<void>;
}

/** Installs each engine that is not yet; what fails is kept as its reason. */
export async function installEngines(
  ids: readonly string[],
  install: (id: string, kind: EngineKind) => Promise<InstalledEngine>,
): Promise<ReadonlyMap<string, Installation>> {
  const installed = new Map<string, Installation>();
  for (const id of ids) {
    const kind = engineKinds[id];
    if (kind === undefined) throw new Error(`no engine ${id}`);
    const outcome = await install(id, kind).catch((error: unknown) => ({
      reason: describeError(error).message,
    }));
    installed.set(id, outcome);
  }
  return installed;
}

/** A target over the engines that were installed. Their processes have a folder that is gone afterwards. */
export function openEngineSession(
  installed: ReadonlyMap<string, Installation>,
  timeoutSeconds: number,
  isolated: boolean,
): EngineSession {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-engine-"));
  const command = async (cell: Cell): Promise<DriverCommand> => {
    const engine = installed.get(cell.variant);
    if (engine === undefined || "reason" in engine) {
      throw new EngineFailed("EngineNotInstalled", engine?.reason ?? "it was not installed");
    }
    const kind = engineKinds[cell.variant] as EngineKind;
    const argv = await driverArguments(kind, engine, timeoutSeconds);
    const [program = "", ...args] =
      isolated && kind.needsNetwork !== true ? [...ownNetwork, ...argv] : argv;
    return { command: program, args, workingDirectory: folder, environment: environment(folder) };
  };
  const target = new EngineTarget({ timeoutSeconds, command });
  return {
    target,
    close: async () => {
      await target.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A command in a network of its own, of which loopback is all: nobody else reaches what listens there. */
const ownNetwork = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$0" "$@"'];

/** Whether this machine lets a command have a network of its own. */
export function canIsolate(): boolean {
  const [command = "", ...args] = [...ownNetwork, "true"];
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

async function driverArguments(
  kind: EngineKind,
  engine: InstalledEngine,
  timeoutSeconds: number,
): Promise<readonly string[]> {
  if (kind.command === undefined) return [rustBinaryPath(dynoxideBinary), "drive"];
  const port = await freePort();
  const endpoint = ["--endpoint", `http://127.0.0.1:${port}`];
  const limit = ["--limit-seconds", String(timeoutSeconds)];
  const driver = [rustBinaryPath(httpDriverBinary), ...endpoint, ...limit];
  return [...driver, "--", ...kind.command(engine, port)];
}

/** The caller's, so that java and node are found; with no word of it that would lead a client elsewhere. */
function environment(folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^AWS_|_proxy$/i.test(name) && name !== "NODE_OPTIONS",
  );
  return { ...Object.fromEntries(kept), TMPDIR: folder };
}

/** A port of loopback that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("found no free port on loopback");
}
