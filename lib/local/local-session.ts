import { mkdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { defined } from "../contract/defined.ts";
import type { NetworkProfile } from "../contract/types/contract.ts";
import type { Experiment } from "../plan/experiment.ts";
import { seedItems, seedObjects } from "../plan/function-data.ts";
import { idleSpreadMs } from "../plan/trial-calls.ts";
import type { Idle } from "../sampler/sample-trial.ts";
import type { ServiceName } from "../toolchain/build-local.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { serviceProgram } from "../toolchain/service-programs.ts";
import type { Valgrind } from "../toolchain/valgrind.ts";
import { type AbsentServices, startAbsentServices } from "./absent-services.ts";
import { chooseSliceRemedy, narrowBandwidthSlice } from "./bandwidth-slice.ts";
import type { CgroupRoot } from "./cgroup.ts";
import {
  createSeededBucket,
  createSeededTable,
  type EmulatedService,
  startEmulatedService,
} from "./emulated-services.ts";
import { type EnvironmentNetwork, machineNetwork, openNetwork } from "./environment-network.ts";
import { openInstrumentedTarget } from "./instrumented-target.ts";
import { localBucketName, localCommands, localTableName } from "./local-functions.ts";
import { LocalTarget } from "./local-target.ts";
import { startNameServer } from "./name-server.ts";
import { startOwnServices } from "./own-services.ts";
import { isInContainer } from "./process-identity.ts";
import { type EnvironmentLacks, openSandbox } from "./sandbox/open-sandbox.ts";

/** A LocalSession holds the stand-ins and the targets of one local run. */
export interface LocalSession extends EnvironmentLacks {
  readonly target: LocalTarget;
  /** Counts instructions; present if valgrind is available. */
  readonly instrumentedTarget?: LocalTarget;
  /** Records calls of services that are not emulated; present if the functions are the user's own. */
  readonly absentServices?: AbsentServices;
  /** Transport to the service; absent if the experiment has neither table nor bucket. */
  readonly transport?: string;
  /** Whether functions stay on one CPU, because the kernel's bandwidth slice cannot be narrowed. */
  readonly staysOnOneCpu: boolean;
  /** Kills the functions' processes, which interrupts a call in progress. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

interface SessionOptions {
  readonly timeoutSeconds: number;
  readonly plainHttp: boolean;
  /** Delays between functions and their service. @default none: loopback only */
  readonly network?: NetworkProfile;
  /** Seeds the network's random delays. */
  readonly seed: number;
  readonly cgroupRoot?: CgroupRoot;
  readonly valgrind?: Valgrind;
}

/** Waits for the plan's idle time plus a random part of a CPU quota period. */
export function idleFor(idleMs: number): Idle {
  return async (signal) => {
    const durationMs = idleMs + idleSpreadMs * Math.random();
    // The caller checks the signal itself.
    await delay(durationMs, undefined, signal && { signal }).catch(() => undefined);
  };
}

/**
 * Creates the environments' network, starts the services of the experiment in it, and opens the targets. The kernel's
 * bandwidth slice stays narrow until the session is closed.
 */
export async function openLocalSession(
  experiment: Experiment,
  options: SessionOptions,
): Promise<LocalSession> {
  const isHeld = options.cgroupRoot !== undefined && !isInContainer();
  const slice = isHeld ? await narrowBandwidthSlice() : undefined;
  const { network: own, reason: withoutNetwork } = await openNetwork();
  const release = async () => {
    await own?.close();
    await slice?.restore();
  };
  try {
    const surroundings = { ...options, environmentNetwork: own ?? machineNetwork };
    const session = await openTargets(experiment, surroundings);
    const close = () => session.close().finally(release);
    return { ...session, ...defined({ withoutNetwork }), close };
  } catch (error) {
    await release();
    throw error;
  }
}

interface TargetOptions extends SessionOptions {
  /** Network of the functions and of the services that they call. */
  readonly environmentNetwork: EnvironmentNetwork;
}

async function openTargets(experiment: Experiment, options: TargetOptions): Promise<LocalSession> {
  const { timeoutSeconds, cgroupRoot, valgrind, environmentNetwork: network } = options;
  const services = await openServices(experiment, options);
  const { standin, ownEndpoints, nameServer, absentServices, transport } = services;
  const { sandbox, reason } = await openSandbox({ nameServer: nameServer?.address, network });
  const isEnclosed = sandbox !== undefined;
  const command = localCommands(experiment, standin, ownEndpoints, isEnclosed);
  const staysOnOneCpu = cgroupRoot !== undefined && chooseSliceRemedy() === "one CPU";
  const target = new LocalTarget({
    timeoutSeconds,
    command,
    network,
    ...(cgroupRoot !== undefined && { cgroupRoot, staysOnOneCpu }),
    ...defined({ sandbox }),
  });
  const counted = () => localCommands(experiment, standin, ownEndpoints);
  const counting = valgrind && openInstrumentedTarget(counted(), valgrind, network);
  const stop = async () => void (await Promise.all([target.close(), counting?.target.close()]));
  const close = async () => {
    await stop();
    counting?.removeFolder();
    await services.stop();
    sandbox?.close();
  };
  return {
    target,
    staysOnOneCpu,
    ...defined({ withoutSandbox: reason, absentServices, transport }),
    ...defined({ instrumentedTarget: counting?.target }),
    stop,
    close,
  };
}

/** Starts everything that functions can call: the experiment's service, and those of a user's functions. */
async function openServices(experiment: Experiment, options: TargetOptions) {
  const { environmentNetwork: network } = options;
  const standin = await openService(experiment, options);
  let record: (call: string) => void = () => undefined;
  // Starts before the rest, because it may throw: it stops its own services, and nothing else runs yet.
  const own = await startOwnServices(experiment.ownServices, (service, args) =>
    start(service, options, args, (call) => record(call)),
  );
  const absentServices = experiment.ownResults && (await startAbsentServices(network));
  if (absentServices !== undefined) record = absentServices.addCall;
  const ownEndpoints = absentServices && {
    AWS_ENDPOINT_URL: absentServices.endpoint,
    ...own.variables,
  };
  const nameServer = absentServices && (await startNameServer(absentServices.addHost, network));
  const transport = standin?.transport ?? own.transport;
  const stop = async () => {
    await standin?.stop();
    await own.stop();
    await absentServices?.stop();
    await nameServer?.stop();
  };
  return { standin, ownEndpoints, absentServices, nameServer, transport, stop };
}

/** Starts the service on loopback with the experiment's data; undefined if the experiment has no service. */
async function openService(
  { table, bucket }: Experiment,
  options: TargetOptions,
): Promise<EmulatedService | undefined> {
  if (bucket !== undefined) {
    return await seeded(start("s3", options), (standin) =>
      createSeededBucket(standin, localBucketName, seedObjects(bucket)),
    );
  }
  if (table === undefined) return undefined;
  return await seeded(start("dynamodb", options), (standin) =>
    createSeededTable(standin, localTableName, seedItems(table.seed)),
  );
}

function start(
  service: ServiceName,
  options: TargetOptions,
  args: readonly string[] = [],
  onNotImplemented: (call: string) => void = () => undefined,
): Promise<EmulatedService> {
  mkdirSync(projectPaths.cache, { recursive: true });
  return startEmulatedService({
    binary: serviceProgram(service),
    service,
    tlsDirectory: projectPaths.cache,
    plainHttp: options.plainHttp,
    network: options.environmentNetwork,
    args: [...networkArguments(options), ...args],
    onNotImplemented,
  });
}

function networkArguments({ network, seed }: SessionOptions): readonly string[] {
  const { delayMs, jitterMs, connectMs = 0 } = network ?? { delayMs: 0, jitterMs: 0 };
  return Object.entries({
    "delay-ms": delayMs,
    "jitter-ms": jitterMs,
    "connect-ms": connectMs,
    seed,
  }).flatMap(([name, value]) => [`--${name}`, `${value}`]);
}

async function seeded(
  starting: Promise<EmulatedService>,
  write: (standin: EmulatedService) => Promise<void>,
): Promise<EmulatedService> {
  const standin = await starting;
  try {
    await write(standin);
  } catch (error) {
    await standin.stop();
    throw error;
  }
  return standin;
}
