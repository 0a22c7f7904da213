import { createHash, X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { defined } from "../contract/defined.ts";
import type { Artefact, Cell } from "../contract/types/contract.ts";
import { unfinishedName } from "../files/replace-file.ts";
import type { ArtefactSource, Experiment, TrustStore, Variant } from "../plan/experiment.ts";
import { bucketVariables, workerVariables } from "../plan/function-data.ts";
import { noopBinary } from "../toolchain/build-local.ts";
import { opensslVariables } from "../toolchain/openssl.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { localWheels, venvPython } from "../toolchain/python.ts";
import { pythonRuntimeClient } from "../toolchain/python-runtime.ts";
import { buildRecord, rustBinaryPath } from "../toolchain/rust-build.ts";
import { publicRootsPath } from "../toolchain/service-programs.ts";
import { artefactCommand, type StartCommand } from "./artefact-command.ts";
import type { EmulatedService } from "./emulated-services.ts";
import type { FunctionCommand } from "./function-process.ts";
import { lambdaEnvironment } from "./lambda-environment.ts";
import { floorCell } from "./machine.ts";
import { installationOf, visible } from "./sandbox/mounts.ts";
import { isWithin, type Mount } from "./sandbox/places.ts";

export const localRegion = "us-east-1";
export const localTableName = "kelvin-local";
export const localBucketName = "kelvin-local";

/** OwnEndpoints are the endpoint variables of the services that a user's functions call through an SDK. */
type OwnEndpoints = Readonly<Record<string, string>>;

/**
 * Returns the command that starts each cell's function on this machine, with the stand-in's address if there is one.
 * @param isEnclosed whether it starts in a sandbox, with its files at Lambda's paths
 */
export function localCommands(
  experiment: Experiment,
  standin: EmulatedService | undefined,
  ownEndpoints: OwnEndpoints = {},
  isEnclosed = false,
): (cell: Cell, runtimeApi: string) => FunctionCommand {
  const rootCertificate = standin?.rootCertificate;
  const trustStores =
    rootCertificate === undefined
      ? undefined
      : writeTrustStores(rootCertificate, dirname(rootCertificate));
  const openssl = opensslOf(experiment.variants);
  return (cell, runtimeApi) => {
    const variant = experiment.variants.find((candidate) => candidate.id === cell.variant);
    const started = startCommand(experiment, cell, variant, isEnclosed);
    const { command, args, workingDirectory, handler, extensions } = started;
    const places = started.places ?? { taskRoot: workingDirectory, runtimeDir: workingDirectory };
    const store = trustStores?.[variant?.trustStore ?? "native"];
    const environment = {
      ...lambdaEnvironment({
        cell,
        functionName: cell.id,
        region: localRegion,
        handler,
        places,
        runtimeApi,
      }),
      ...openssl.get(started.interpreter ?? command),
      ...(standin !== undefined && serviceVariables(experiment, standin, store)),
      ...workerVariables(cell),
      ...packageVariables(variant),
      ...(variant?.source.kind === "artefact" && {
        ...ownEndpoints,
        ...withOwnLibraries(started.variables, openssl.get(started.interpreter ?? "")),
        ...variant.source.environment,
      }),
    };
    const mounts = isEnclosed ? sandboxMounts(started, standin, environment) : [];
    return { command, args, workingDirectory, environment, ...defined({ extensions }), mounts };
  };
}

/** Returns what a function sees in a sandbox: its own files, the stand-in's certificate, and its libraries. */
function sandboxMounts(
  { mounts = [] }: StartCommand,
  standin: EmulatedService | undefined,
  variables: Readonly<Record<string, string>>,
): readonly Mount[] {
  const certificate = standin?.rootCertificate;
  const certificates = certificate === undefined ? [] : visible(dirname(certificate));
  return [...mounts, ...certificates, ...libraryMounts(variables)];
}

/** Returns mounts for the files of the project and its cache that the variables name. */
function libraryMounts(variables: Readonly<Record<string, string>>): readonly Mount[] {
  const names = ["LD_LIBRARY_PATH", "PYTHONPATH", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];
  const paths = names.flatMap((name) => variables[name]?.split(":") ?? []);
  const { root, cache } = projectPaths;
  return paths.flatMap((path) => {
    if (isWithin(path, root)) return visible(path);
    // An installed package's certificates are outside its own folder.
    return isWithin(path, cache) ? visible(cache) : [];
  });
}

/** Puts a Python's own OpenSSL before the system's libraries. */
function withOwnLibraries(
  variables: Readonly<Record<string, string>> = {},
  { LD_LIBRARY_PATH: own }: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return own === undefined
    ? variables
    : { ...variables, LD_LIBRARY_PATH: `${own}:${variables.LD_LIBRARY_PATH}` };
}

/** Finds the OpenSSL that functions load, by the Python command of their variant. */
function opensslOf(
  variants: readonly Variant[],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const pythons = new Set(variants.flatMap((variant) => pythonOf(variant) ?? []));
  return new Map([...pythons].map((python) => [python, opensslVariables(python)]));
}

/** Returns the Python that runs a variant's functions; undefined if none does. */
export function pythonOf({ language, source }: Variant): string | undefined {
  if (source.kind === "python") return venvPython;
  return source.kind === "artefact" && language === "python"
    ? source.interpreter?.command
    : undefined;
}

/** Returns the endpoint, the trusted certificates and the table or bucket name, in the variables that the SDKs read. */
function serviceVariables(
  { bucket }: Experiment,
  { endpoint }: EmulatedService,
  trustStore: string | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(bucket === undefined
      ? { TABLE_NAME: localTableName, AWS_ENDPOINT_URL_DYNAMODB: endpoint }
      : { ...bucketVariables(bucket, localBucketName), AWS_ENDPOINT_URL_S3: endpoint }),
    ...(trustStore !== undefined && { SSL_CERT_FILE: trustStore, AWS_CA_BUNDLE: trustStore }),
  };
}

/** Puts a variant's own packages before those of the project's environment. */
function packageVariables(variant: Variant | undefined): Readonly<Record<string, string>> {
  const wheels = variant?.source.kind === "python" ? localWheels(variant.source) : undefined;
  return wheels === undefined ? {} : { PYTHONPATH: wheels };
}

function startCommand(
  experiment: Experiment,
  cell: Cell,
  variant: Variant | undefined,
  isEnclosed: boolean,
): StartCommand {
  const source = variant?.source;
  if (source?.kind === "artefact") return artefactCommand(source, cell.runtime, isEnclosed);
  if (source?.kind === "python") {
    const args = ["-B", "-m", pythonRuntimeClient, source.handler];
    return {
      command: venvPython,
      args,
      workingDirectory: projectPaths.python,
      handler: source.handler,
      mounts: [
        ...installationOf(venvPython),
        ...visible(projectPaths.venv),
        ...visible(projectPaths.python),
      ],
    };
  }
  const isFloor = cell.variant === floorCell.variant;
  if (source === undefined && !isFloor)
    throw new Error(`no variant ${cell.variant} in ${experiment.id}`);
  const command = rustBinaryPath(source ?? noopBinary);
  return {
    command,
    args: [],
    workingDirectory: dirname(command),
    handler: "bootstrap",
    mounts: visible(dirname(command)),
  };
}

/** TrustStores are the PEM files of trusted roots for functions on this machine. */
type TrustStores = Readonly<Record<TrustStore, string>>;

/** https://www.amazontrust.com/repository/ */
const amazon = /^CN=(Amazon Root CA \d|Starfield Services Root Certificate Authority - G2)$/m;

/**
 * Writes both stores to the folder: the stand-in's root, plus all public roots of a system ("native") or Amazon's
 * roots only ("bundled"). Clients read as many on Lambda, and reading them is part of a cold start. The public roots
 * are those of the locked botocore, hence the same on every machine.
 */
export function writeTrustStores(
  rootCertificate: string,
  folder: string,
  publicRoots: string = publicRootsPath(),
): TrustStores {
  const root = readFileSync(rootCertificate, "utf8");
  const roots = readFileSync(publicRoots, "utf8").match(pemPattern) ?? [];
  const amazons = roots.filter((pem) => amazon.test(new X509Certificate(pem).subject));
  const write = (name: string, others: readonly string[]) =>
    replaceFile(join(folder, `${name}-roots.pem`), [root, ...others].join("\n"));
  return { native: write("native", roots), bundled: write("bundled", amazons) };
}

const pemPattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Replaces the file atomically, because another run may be reading it. */
function replaceFile(path: string, text: string): string {
  const unfinished = unfinishedName(path);
  writeFileSync(unfinished, text, { flag: "wx" });
  renameSync(unfinished, path);
  return path;
}

/** Describes the measured files, so that a report can be verified against them. Sizes are in bytes. */
export function localArtefacts(variants: readonly Variant[]): readonly Artefact[] {
  return variants.map((variant) => {
    const { source } = variant;
    if (source.kind === "artefact") return ownArtefact(variant.id, source);
    const files = listFiles(source);
    const contents = files.map((file) => readFileSync(file));
    const hash = createHash("sha256");
    for (const content of contents) hash.update(content);
    return {
      variant: variant.id,
      architecture: floorCell.architecture,
      sha256: hash.digest("hex"),
      sizeBytes: sum(contents.map((content) => content.length)),
      zipBytes: sum(contents.map((content) => deflateRawSync(content, { level: 9 }).length)),
      build: describeBuild(source),
    };
  });
}

/** Describes a user's artefact as provided: how it was built is unknown. */
function ownArtefact(variant: string, source: ArtefactSource): Artefact {
  const { sha256, sizeBytes, zipBytes } = source;
  const { architecture } = floorCell;
  const size = { sizeBytes, ...(zipBytes !== undefined && { zipBytes }) };
  const build = source.layers && { build: { layers: source.layers.sha256 } };
  return { variant, architecture, sha256, ...size, ...build };
}

/** A BuiltSource is a source that Kelvin builds. */
type BuiltSource = Exclude<Variant["source"], ArtefactSource>;

function describeBuild(source: BuiltSource): Readonly<Record<string, string>> {
  if (source.kind === "cargo") return buildRecord(source);
  const { requirements } = source;
  const dependencies = requirements === undefined ? "the runtime's" : `own wheels, ${requirements}`;
  return { tool: "source files", dependencies };
}

function listFiles(source: BuiltSource): readonly string[] {
  if (source.kind === "cargo") return [rustBinaryPath(source)];
  const packages = ["bench_core", source.handler.split(".")[0] ?? ""];
  const own = packages.flatMap((name) =>
    filesBelow(join(projectPaths.python, name)).filter((path) => path.endsWith(".py")),
  );
  const wheels = localWheels(source);
  return wheels === undefined ? own : [...own, ...filesBelow(wheels)];
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
