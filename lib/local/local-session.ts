import { mkdirSync } from "node:fs";
import type { NetworkProfile } from "../contract/types/contract.ts";
import type { Experiment } from "../experiment/experiment.ts";
import { seedItems } from "../experiment/seed-items.ts";
import { seedObjects } from "../experiment/seed-objects.ts";
import { type StandinService, standinBinary } from "../toolchain/build-local.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { rustBinaryPath } from "../toolchain/rust-build.ts";
import type { Valgrind } from "../toolchain/valgrind.ts";
import type { CgroupRoot } from "./cgroup.ts";
import { createSeededTable } from "./dynamodb-standin.ts";
import { openInstrumentedTarget } from "./instrumented-target.ts";
import { localBucketName, localCommands, localTableName } from "./local-functions.ts";
import { LocalTarget } from "./local-target.ts";
import { createSeededBucket } from "./s3-standin.ts";
import { type Standin, startStandin } from "./standin.ts";

/** The stand-ins and the targets of one local run. */
export interface LocalSession {
  readonly target: LocalTarget;
  /** Counts instructions; present where valgrind was given. */
  readonly instrumentedTarget?: LocalTarget;
  /** How the service is reached; absent where the experiment has neither table nor bucket. */
  readonly transport?: string;
  /** Ends the functions' processes: what is under way is cut off. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly timeoutSeconds: number;
  readonly plainHttp: boolean;
  /** Of S3. @default none: loopback alone */
  readonly network?: NetworkProfile;
  /** Of what is drawn at random. */
  readonly seed: number;
  readonly cgroupRoot?: CgroupRoot;
  readonly valgrind?: Valgrind;
}

/** Starts what the experiment's functions call, and opens the targets. */
export async function openLocalSession(
  experiment: Experiment,
  options: SessionOptions,
): Promise<LocalSession> {
  const { timeoutSeconds, cgroupRoot, valgrind } = options;
  const standin = await openService(experiment, options);
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

/** The service on loopback with the experiment's data in it; undefined where it has none. */
async function openService(
  { table, bucket }: Experiment,
  options: SessionOptions,
): Promise<Standin | undefined> {
  if (bucket !== undefined) {
    return await seeded(start("s3", options, networkArguments(options)), (standin) =>
      createSeededBucket(standin, localBucketName, seedObjects(bucket)),
    );
  }
  if (table === undefined) return undefined;
  return await seeded(start("dynamodb", options), (standin) =>
    createSeededTable(standin, localTableName, seedItems(table.seed)),
  );
}

function start(
  service: StandinService,
  { plainHttp }: SessionOptions,
  args: readonly string[] = [],
): Promise<Standin> {
  mkdirSync(projectPaths.cache, { recursive: true });
  const binary = rustBinaryPath(standinBinary(service));
  return startStandin({ binary, service, tlsDirectory: projectPaths.cache, plainHttp, args });
}

function networkArguments({ network, seed }: SessionOptions): readonly string[] {
  const { delayMs, jitterMs } = network ?? { delayMs: 0, jitterMs: 0 };
  return ["--delay-ms", `${delayMs}`, "--jitter-ms", `${jitterMs}`, "--seed", `${seed}`];
}

async function seeded(
  starting: Promise<Standin>,
  write: (standin: Standin) => Promise<void>,
): Promise<Standin> {
  const standin = await starting;
  try {
    await write(standin);
  } catch (error) {
    await standin.stop();
    throw error;
  }
  return standin;
}
