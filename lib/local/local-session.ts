import { mkdirSync } from "node:fs";
import type { Experiment } from "../experiment/experiment.ts";
import { seedItems } from "../experiment/seed-items.ts";
import { standinsBinary } from "../toolchain/build-local.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { rustBinaryPath } from "../toolchain/rust-build.ts";
import type { Valgrind } from "../toolchain/valgrind.ts";
import type { CgroupRoot } from "./cgroup.ts";
import { createSeededTable, type DynamodbStandin, startDynamodb } from "./dynamodb-standin.ts";
import { openInstrumentedTarget } from "./instrumented-target.ts";
import { localCommands, localTableName } from "./local-functions.ts";
import { LocalTarget } from "./local-target.ts";

/** The stand-ins and the targets of one local run. */
export interface LocalSession {
  readonly target: LocalTarget;
  /** Counts instructions; present where valgrind was given. */
  readonly instrumentedTarget?: LocalTarget;
  /** How DynamoDB is served; absent where the experiment has no table. */
  readonly transport?: string;
  /** Ends the functions' processes: what is under way is cut off. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly timeoutSeconds: number;
  readonly plainHttp: boolean;
  readonly cgroupRoot?: CgroupRoot;
  readonly valgrind?: Valgrind;
}

/** Starts what the experiment's functions call, and opens the targets. */
export async function openLocalSession(
  experiment: Experiment,
  { timeoutSeconds, plainHttp, cgroupRoot, valgrind }: SessionOptions,
): Promise<LocalSession> {
  const standin = await openDynamodb(experiment, plainHttp);
  const command = localCommands(experiment, standin);
  const target = new LocalTarget({
    timeoutSeconds,
    command,
    ...(cgroupRoot !== undefined && { cgroupRoot }),
  });
  const counting = valgrind && openInstrumentedTarget(command, valgrind);
  const stop = async () => void (await Promise.all([target.close(), counting?.target.close()]));
  const close = async () => {
    await stop();
    counting?.removeFolder();
    await standin?.stop();
  };
  return {
    target,
    ...(counting !== undefined && { instrumentedTarget: counting.target }),
    ...(standin !== undefined && { transport: standin.transport }),
    stop,
    close,
  };
}

/** DynamoDB on loopback with the experiment's table in it; undefined where it has none. */
async function openDynamodb(
  { table }: Experiment,
  plainHttp: boolean,
): Promise<DynamodbStandin | undefined> {
  if (table === undefined) return undefined;
  mkdirSync(projectPaths.cache, { recursive: true });
  const standin = await startDynamodb({
    binary: rustBinaryPath(standinsBinary),
    tlsDirectory: projectPaths.cache,
    plainHttp,
  });
  try {
    await createSeededTable(standin, localTableName, seedItems(table.seed));
  } catch (error) {
    await standin.stop();
    throw error;
  }
  return standin;
}
