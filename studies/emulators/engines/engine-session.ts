import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cell } from "../../../lib/contract/types/contract.ts";
import { freePort } from "../../../lib/local/free-port.ts";
import { newScratchFolder } from "../../../lib/local/scratch-folder.ts";
import { dynoxideBinary } from "../../../lib/toolchain/build-local.ts";
import { commandEnvironment } from "../../../lib/toolchain/command-environment.ts";
import { rustBinaryPath } from "../../../lib/toolchain/rust-build.ts";
import { type DriverCommand, EngineFailed } from "./engine-driver.ts";
import { type EngineKind, engineKinds, httpDriverBinary } from "./engine-kinds.ts";
import { EngineTarget } from "./engine-target.ts";
import type { InstalledEngine } from "./install-engines.ts";
import type { Installation } from "./prepare-engines.ts";

interface EngineSession {
  readonly target: EngineTarget;
  /** Stops the running engine and deletes its files. */
  close(): Promise<void>;
}

/** Opens a target for the installed engines. Their working folder is temporary. */
export function openEngineSession(
  installed: ReadonlyMap<string, Installation>,
  timeoutSeconds: number,
  isolated: boolean,
): EngineSession {
  const folder = newScratchFolder("engine");
  const tables = newScratchFolder("tables", quickFolder());
  const command = async (cell: Cell): Promise<DriverCommand> => {
    const engine = installed.get(cell.variant);
    if (engine === undefined || "reason" in engine) {
      throw new EngineFailed("EngineNotInstalled", engine?.reason ?? "it was not installed");
    }
    const kind = engineKinds[cell.variant] as EngineKind;
    return await driverCommand(kind, engine, { folder, tables, timeoutSeconds, isolated });
  };
  const target = new EngineTarget({ timeoutSeconds, command });
  return {
    target,
    close: async () => {
      await target.close();
      for (const each of [folder, tables]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** Runs a command in its own network namespace, which has only loopback: nothing outside can connect to it. */
const ownNetwork = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$0" "$@"'];

/** Returns whether this machine allows a command its own network namespace. */
export function canIsolate(): boolean {
  const [command = "", ...args] = [...ownNetwork, "true"];
  return (
    spawnSync(command, args, { stdio: "ignore", env: commandEnvironment("tool") }).status === 0
  );
}

/**
 * Returns a folder in memory if the system has one. Only the size of the files is measured, and on disk DynamoDB
 * Local would wait for each of the 10,000 items, which takes minutes.
 */
function quickFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}

interface Surroundings {
  /** Working directory of the processes. */
  readonly folder: string;
  /** Folder in which each process has a folder for its tables. */
  readonly tables: string;
  readonly timeoutSeconds: number;
  readonly isolated: boolean;
}

async function driverCommand(
  kind: EngineKind,
  engine: InstalledEngine,
  { folder, tables, timeoutSeconds, isolated }: Surroundings,
): Promise<DriverCommand> {
  const { container, isInFiles } = kind;
  const port = await freePort();
  const tablesFolder = mkdtempSync(join(tables, "process-"));
  const driver = [
    ...[rustBinaryPath(httpDriverBinary), "--endpoint", `http://127.0.0.1:${port}`],
    ...["--limit-seconds", String(timeoutSeconds), "--"],
  ];
  const engineCommand = kind.command?.(engine, port, tablesFolder);
  const embedded = [rustBinaryPath(dynoxideBinary), "drive"];
  const driverCommand = engineCommand === undefined ? embedded : [...driver, ...engineCommand];
  const hasOwnNetwork = isolated && container === undefined;
  const [command = "", ...args] = hasOwnNetwork ? [...ownNetwork, ...driverCommand] : driverCommand;
  const secret = container?.secret();
  return {
    command,
    args,
    workingDirectory: folder,
    // The driver inherits the same environment.
    environment: { ...commandEnvironment(kind.surroundings ?? "service"), TMPDIR: folder },
    ...(isInFiles === true && { tablesFolder }),
    ...(container !== undefined && { stop: container.stop(port) }),
    ...(secret !== undefined && { secret }),
  };
}
