import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuCredit } from "../../lib/contract/cpu-credit.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type {
  InstrumentFloor,
  Machine,
  Manifest,
  Plan,
  SpeedProbe,
} from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { readBandwidthSliceMs } from "../../lib/local/bandwidth-slice.ts";
import { type CgroupRoot, findCgroupRoot } from "../../lib/local/cgroup.ts";
import { localArtefacts, localRegion, pythonOf } from "../../lib/local/local-functions.ts";
import { idleFor, type LocalSession } from "../../lib/local/local-session.ts";
import {
  describeMachine,
  type FloorMeasurements,
  howToThrottle,
  measureFloor,
} from "../../lib/local/machine.ts";
import type { Variant } from "../../lib/plan/experiment.ts";
import { findService } from "../../lib/plan/trial-calls.ts";
import { unlimitedText } from "../../lib/report/document/format.ts";
import { runEnding } from "../../lib/run/run-ending.ts";
import { manifestHead, type ResultStore, storedFailures } from "../../lib/sampler/result-store.ts";
import { median, quantileType7 } from "../../lib/statistics/order-statistics.ts";
import { isSlowOpenssl, opensslVariables, opensslVersion } from "../../lib/toolchain/openssl.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { venvPython } from "../../lib/toolchain/python.ts";
import { pythonRuntimeClient } from "../../lib/toolchain/python-runtime.ts";
import { localTarget } from "../../lib/toolchain/rust-build.ts";
import { installedRust, lockedVersion } from "../../lib/toolchain/rust-toolchain.ts";
import { findValgrind, howToHaveValgrind, type Valgrind } from "../../lib/toolchain/valgrind.ts";
import type { Progress } from "../progress.ts";
import type { CostBasis } from "./cost-basis.ts";
import { networkText } from "./new-run.ts";

/** Facts about a local run that are known once it is ready to measure. */
interface LocalFacts {
  readonly machine: Machine;
  /** Absent if the no-op function was not built. */
  readonly floor?: InstrumentFloor;
  readonly speed: SpeedProbe;
  /** Absent if none of Kelvin's Python functions is used. */
  readonly pythonVersion?: string;
  /** Crates of the emulated services that were fetched, with their versions. */
  readonly fetchedVersions: Readonly<Record<string, string>>;
  readonly prices: PriceTable;
  /** Present if instructions are counted. */
  readonly valgrindVersion?: string;
}

export type LocalManifest = Omit<Manifest, "counts">;

/** Returns the manifest of a run that is about to measure. Its counts are added with the report. */
export function startingManifest(
  plan: Plan,
  variants: readonly Variant[],
  facts: LocalFacts,
): LocalManifest {
  const openssl = opensslVersions(variants, facts);
  return {
    ...manifestHead(plan, "running"),
    cellFailures: [],
    artefacts: [...localArtefacts(variants)],
    versions: versions(facts, variants, openssl),
    machine: facts.machine,
    ...defined({ floor: facts.floor }),
    speed: facts.speed,
    prices: { date: facts.prices.date, region: localRegion },
    warnings: [
      ...plan.warnings,
      ...machineWarnings(plan, facts.machine),
      ...opensslWarnings(variants, openssl),
      ...clientWarnings(variants),
    ],
  };
}

/** Returns the manifest once measuring has ended. */
export async function endedManifest(
  started: LocalManifest,
  end: "complete" | "interrupted",
  store: ResultStore,
): Promise<LocalManifest> {
  const cellFailures = await storedFailures(store);
  const endedAt = new Date().toISOString();
  const endedEarly = end === "interrupted" ? "It was interrupted before its end" : undefined;
  return { ...started, ...runEnding({ endedAt, cellFailures, endedEarly }) };
}

/** The OpenSSL version that each Python command of a run loads. */
type OpensslVersions = ReadonlyMap<string, string | undefined>;

function opensslVersions(
  variants: readonly Variant[],
  { pythonVersion }: LocalFacts,
): OpensslVersions {
  const own = pythonVersion === undefined ? [] : [venvPython];
  const pythons = new Set([...own, ...variants.flatMap((variant) => pythonOf(variant) ?? [])]);
  return new Map(
    [...pythons].map((python) => [python, opensslVersion(python, opensslVariables(python))]),
  );
}

function opensslWarnings(
  variants: readonly Variant[],
  openssl: OpensslVersions,
): readonly string[] {
  const slow = variants.flatMap((variant) => {
    const version = openssl.get(pythonOf(variant) ?? "");
    return version !== undefined && isSlowOpenssl(version) ? [`${variant.id}: ${version}`] : [];
  });
  return slow.length === 0
    ? []
    : [
        `OpenSSL of Python functions is older than Lambda's 3.2 (${slow.join(", ")}): it takes longer to read certificates, so the first HTTPS requests of these functions take longer here`,
      ];
}

function clientWarnings(variants: readonly Variant[]): readonly string[] {
  const isPython = variants.some(({ language }) => language === "python");
  return pythonRuntimeClient === "awslambdaric" || !isPython
    ? []
    : [
        "Python functions ran on Kelvin's own Runtime API client: awslambdaric is not available for this platform",
      ];
}

function machineWarnings(plan: Plan, machine: Machine): readonly string[] {
  if (machine.cpuQuota === "unthrottled") {
    return ["cpu: unthrottled; memory sizes do not differ in CPU on this machine"];
  }
  const largest = Math.max(...plan.cells.map((cell) => cell.memoryMb));
  const vcpus = cpuCredit(largest);
  return vcpus > machine.cpus
    ? [`${largest} MB corresponds to ${vcpus.toFixed(1)} CPUs; this machine has ${machine.cpus}`]
    : [];
}

function versions(
  facts: LocalFacts,
  variants: readonly Variant[],
  openssl: OpensslVersions,
): Record<string, string> {
  const { pythonVersion, valgrindVersion, fetchedVersions } = facts;
  const { node } = process.versions;
  if (pythonVersion === undefined) {
    return { node, ...fetchedVersions, ...interpreterVersions(variants) };
  }
  const requirements = readFileSync(join(projectPaths.python, "requirements.in"), "utf8");
  const wheel = (name: string) => new RegExp(`^${name}==(\\S+)`, "m").exec(requirements)?.[1];
  return defined({
    node,
    rustc: installedRust(),
    "cargo-lambda": localTarget === "this machine" ? undefined : wheel("cargo-lambda"),
    zig: localTarget === "this machine" ? undefined : wheel("ziglang"),
    python: pythonVersion,
    openssl: openssl.get(venvPython),
    "aws-sdk-dynamodb": lockedVersion("aws-sdk-dynamodb"),
    "aws-sdk-s3": lockedVersion("aws-sdk-s3"),
    lambda_runtime: lockedVersion("lambda_runtime"),
    "dynoxide-rs": lockedVersion("dynoxide-rs"),
    s3s: lockedVersion("s3s"),
    boto3: wheel("boto3"),
    valgrind: valgrindVersion,
    ...ownPackages(variants),
    ...interpreterVersions(variants),
    awslambdaric: pythonRuntimeClient === "awslambdaric" ? wheel("awslambdaric") : undefined,
  }) as Record<string, string>;
}

/** Returns the versions of the interpreters that run users' functions, by function name. */
function interpreterVersions(variants: readonly Variant[]): Record<string, string> {
  const found = variants.flatMap(({ id, language, source }) =>
    source.kind === "artefact" && source.interpreter !== undefined
      ? [[`${language === "python" ? "python" : "node"} of ${id}`, source.interpreter.version]]
      : [],
  );
  return Object.fromEntries(found);
}

/** Returns the versions of packages that variants bring in addition to the runtime's, by name. */
function ownPackages(variants: readonly Variant[]): Record<string, string> {
  const locks = variants.flatMap(({ source }) =>
    source.kind === "python" ? (source.requirements ?? []) : [],
  );
  const asked = locks.flatMap((lock) => {
    const text = readFileSync(join(projectPaths.python, lock.replace(/txt$/, "in")), "utf8");
    return [...text.matchAll(/^([\w-]+)==(\S+)/gm)].map(([, name = "", version = ""]) => [
      name,
      version,
    ]);
  });
  return Object.fromEntries(asked);
}

/** The outcome of the build. */
export interface BuiltTools {
  /** Absent if none of Kelvin's Python functions is used. */
  readonly pythonVersion?: string;
  /** Crates of the emulated services that an installed package fetched, with their versions; none in the repository. */
  readonly fetchedVersions: Readonly<Record<string, string>>;
  /** Whether the no-op function is measured, for the overhead of the host itself. */
  readonly hasFloor: boolean;
}

/** A run whose functions are built. */
export interface ReadyRun {
  readonly plan: Plan;
  readonly built: BuiltTools;
  readonly costs: CostBasis;
  readonly progress: Progress;
}

/** The instruments available on this machine. */
export interface Instruments {
  readonly cgroupRoot?: CgroupRoot;
  readonly valgrind?: Valgrind;
}

/** Throws InvalidInput if instructions are to be counted and valgrind is missing. */
export function instrumentsFor({ instrumented, stopping }: Plan): Instruments {
  const valgrind = instrumented && requireValgrind();
  const cgroupRoot = findCgroupRoot();
  if (stopping?.sizeChoice !== undefined && cgroupRoot === undefined) {
    const allowed = `sizes, such as 1769, because ${unlimitedText}; to limit them, ${howToThrottle()}`;
    throw new InvalidInput("memory", "auto", allowed);
  }
  return defined({ cgroupRoot, valgrind });
}

/** Prints the instruments that the run uses, and measures their own overhead. */
export async function localFacts(
  { target, transport, staysOnOneCpu }: LocalSession,
  { plan, built, costs, progress }: ReadyRun,
  { cgroupRoot, valgrind }: Instruments,
  speed: SpeedProbe,
): Promise<LocalFacts> {
  const sliceMs = readBandwidthSliceMs();
  const idle = plan.idleMs === undefined ? undefined : idleFor(plan.idleMs);
  const networkProfile = plan.network && networkText(plan.network, plan.seed);
  const { pythonVersion, hasFloor, fetchedVersions } = built;
  // A user's functions run on their own interpreters.
  const isNamed = pythonVersion !== undefined && plan.ownResults !== true;
  const python = isNamed ? `; Python ${pythonVersion}` : "";
  progress.say(`${serviceText(plan, transport)}${python}`);
  if (networkProfile !== undefined) progress.say(`network: ${networkProfile}`);
  const described = describeMachine(cgroupRoot);
  return {
    ...defined({ pythonVersion }),
    fetchedVersions,
    prices: costs.prices,
    ...(hasFloor && { floor: instrumentFloor(await measureFloor(target, idle)) }),
    speed,
    machine: {
      ...described,
      ...(cgroupRoot !== undefined && sliceMs !== undefined && { bandwidthSliceMs: sliceMs }),
      ...(staysOnOneCpu && { staysOnOneCpu }),
      ...defined({ transport, networkProfile }),
    },
    ...(valgrind !== undefined && { valgrindVersion: valgrind.version }),
  };
}

function serviceText(plan: Plan, transport: string | undefined): string {
  const service = findService(plan);
  if (transport === undefined) {
    return plan.ownResults
      ? "no AWS service is emulated (--service dynamodb or s3)"
      : "this experiment calls no service";
  }
  if (service === undefined) return `emulated services: ${transport}`;
  return `${service} is emulated by ${service === "S3" ? "s3s" : "dynoxide"}, ${transport}`;
}

/** Converts the instrument's floor to the manifest's form. */
function instrumentFloor(measured: FloorMeasurements): InstrumentFloor {
  const { durationsMs, initDurationsMs, environments } = measured;
  return {
    n: durationsMs.length,
    environments,
    durationMs: median(durationsMs),
    durationLowMs: quantileType7(durationsMs, 0.05),
    durationHighMs: quantileType7(durationsMs, 0.95),
    initDurationMs: median(initDurationsMs),
  };
}

/** Returns this machine's valgrind. Throws InvalidInput with install instructions if it is missing. */
export function requireValgrind(): Valgrind {
  const valgrind = findValgrind();
  if (valgrind !== undefined) return valgrind;
  throw new InvalidInput("instructions", "no valgrind that runs here", howToHaveValgrind);
}
