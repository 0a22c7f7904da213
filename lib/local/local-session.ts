import { mkdirSync } from "node:fs";
import type { Experiment } from "../experiment/experiment.ts";
import { seedItems } from "../experiment/seed-items.ts";
import { standinsBinary } from "../toolchain/build-local.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { rustBinaryPath } from "../toolchain/rust-build.ts";
import type { Valgrind } from "../toolchain/valgrind.ts";
import type { CgroupRoot } from "./cgroup.ts";
import { createSeededTable, startDynamodb } from "./dynamodb-standin.ts";
import { openInstrumentedTarget } from "./instrumented-target.ts";
import { localCommands, localTableName } from "./local-functions.ts";
import { LocalTarget } from "./local-target.ts";

/** The stand-ins and the targets of one local run. */
export interface LocalSession {
  readonly target: LocalTarget;
  /** Counts instructions; present where valgrind was given. */
  readonly instrumentedTarget?: LocalTarget;
  readonly transport: string;
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

/** Starts DynamoDB on loopback, seeds the experiment's table, and opens the targets. */
export async function openLocalSession(
  experiment: Experiment,
  { timeoutSeconds, plainHttp, cgroupRoot, valgrind }: SessionOptions,
): Promise<LocalSession> {
  mkdirSync(projectPaths.cache, { recursive: true });
  const standin = await startDynamodb({
    binary: rustBinaryPath(standinsBinary),
    tlsDirectory: projectPaths.cache,
    plainHttp,
  });
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
    await standin.stop();
  };
  try {
    const seed = experiment.table?.seed;
    if (seed !== undefined) await createSeededTable(standin, localTableName, seedItems(seed));
  } catch (error) {
    await close();
    throw error;
  }
  const { transport } = standin;
  return {
    target,
    ...(counting !== undefined && { instrumentedTarget: counting.target }),
    transport,
    stop,
    close,
  };
}
