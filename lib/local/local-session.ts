import { mkdirSync } from "node:fs";
import type { Experiment } from "../experiment/experiment.ts";
import { seedItems } from "../experiment/seed-items.ts";
import { standinsBinary } from "../toolchain/build-local.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { rustBinaryPath } from "../toolchain/rust-build.ts";
import type { CgroupRoot } from "./cgroup.ts";
import { createSeededTable, startDynamodb } from "./dynamodb-standin.ts";
import { localCommands, localTableName } from "./local-functions.ts";
import { LocalTarget } from "./local-target.ts";

/** The stand-ins and the target of one local run. */
export interface LocalSession {
  readonly target: LocalTarget;
  readonly transport: string;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly timeoutSeconds: number;
  readonly plainHttp: boolean;
  readonly cgroupRoot?: CgroupRoot;
}

/** Starts DynamoDB on loopback, seeds the experiment's table, and opens the target. */
export async function openLocalSession(
  experiment: Experiment,
  { timeoutSeconds, plainHttp, cgroupRoot }: SessionOptions,
): Promise<LocalSession> {
  mkdirSync(projectPaths.cache, { recursive: true });
  const standin = await startDynamodb({
    binary: rustBinaryPath(standinsBinary),
    tlsDirectory: projectPaths.cache,
    plainHttp,
  });
  const target = new LocalTarget({
    timeoutSeconds,
    command: localCommands(experiment, standin),
    ...(cgroupRoot !== undefined && { cgroupRoot }),
  });
  const close = async () => {
    await target.close();
    await standin.stop();
  };
  try {
    const seed = experiment.table?.seed;
    if (seed !== undefined) await createSeededTable(standin, localTableName, seedItems(seed));
  } catch (error) {
    await close();
    throw error;
  }
  return { target, transport: standin.transport, close };
}
