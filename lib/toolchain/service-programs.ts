import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeError, InvalidInput } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import { emulatedServiceBinary, type ServiceName } from "./build-local.ts";
import { fetchIntoCache } from "./cached-folder.ts";
import { type PinnedPackage, unpackPinned } from "./npm-archive.ts";
import { isRepository, projectPaths } from "./project-paths.ts";
import { sitePackages } from "./python-runtime.ts";
import { rustBinaryPath } from "./rust-build.ts";

/** The packages of the emulated services, by platform and architecture as Node.js names them. */
export type PinnedServices = Readonly<Record<string, PinnedPackage>>;

/** `npm pack` writes the pins of the packed services to this file. */
export const pinnedServicesPath: string = join(projectPaths.root, "dist", "services.json");

interface ServiceOptions {
  /** @default the packages that this one was packed with */
  readonly known?: PinnedServices;
  /** @default this machine's platform */
  readonly platform?: string;
  /** @default the project's cache */
  readonly cache?: string;
}

/** Throws InvalidInput outside the repository, which builds the service, if this platform has no package of it. */
export function requireService(service: ServiceName, options: ServiceOptions = {}): void {
  if (isRepository && options.known === undefined) return;
  pinnedFor(service, options);
}

/** Returns the path of a service's program: the repository's build, or the one `prepareServices` fetched. */
export function serviceProgram(service: ServiceName, options: ServiceOptions = {}): string {
  const build = emulatedServiceBinary(service);
  if (isRepository && options.known === undefined) return rustBinaryPath(build);
  return join(folderOf(pinnedFor(service, options), options), "bin", build.binaryName);
}

/** Returns the path of the locked botocore's public root certificates, the same on every machine. */
export function publicRootsPath(options: ServiceOptions = {}): string {
  if (isRepository && options.known === undefined) {
    return join(sitePackages(projectPaths.venv), "botocore", "cacert.pem");
  }
  return join(folderOf(pinnedFor("dynamodb", options), options), "roots.pem");
}

/**
 * Fetches the emulated services of an installed package with npm at their first use, pinned by hash. Returns the
 * versions of their crates. Throws if npm fails.
 */
export async function prepareServices(
  services: readonly ServiceName[],
  say: (line: string) => void,
  options: ServiceOptions = {},
): Promise<Readonly<Record<string, string>>> {
  const [first] = services;
  if (first === undefined || (isRepository && options.known === undefined)) return {};
  const pinned = pinnedFor(first, options);
  const folder = folderOf(pinned, options);
  const programs = `the emulated DynamoDB and S3 (npm's ${pinned.package} ${pinned.version})`;
  try {
    await fetchIntoCache(folder, programs, say, (unfinished) =>
      unpackPinned(pinned, unfinished, { strip: 1 }),
    );
  } catch (error) {
    const { message } = describeError(error);
    throw new Error(`the emulated DynamoDB and S3 could not be fetched: ${message}`);
  }
  const { crates = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return crates;
}

function pinnedFor(
  service: ServiceName,
  { known = packedServices(), platform = thisPlatform() }: ServiceOptions,
): PinnedPackage {
  const pinned = known[platform];
  if (pinned !== undefined) return pinned;
  const there = Object.keys(known).join(", ");
  const remedy = "in Kelvin's repository, where Rust builds it: npm run kelvin -- measure";
  const message =
    there === ""
      ? `this package was packed without the emulated ${names[service]}; measure ${remedy}`
      : `there is no emulated ${names[service]} for ${platform}, only for ${there}; measure ${remedy}`;
  throw new InvalidInput("service", service, there === "" ? "none" : there, message);
}

const names: Readonly<Record<ServiceName, string>> = { dynamodb: "DynamoDB", s3: "S3" };

function packedServices(): PinnedServices {
  const text = existsSync(pinnedServicesPath) ? readFileSync(pinnedServicesPath, "utf8") : "{}";
  return parseJson(text, {}) as PinnedServices;
}

function folderOf(
  { package: name, version, integrity }: PinnedPackage,
  { cache = projectPaths.cache }: ServiceOptions,
): string {
  const key = createHash("sha256").update(integrity).digest("hex").slice(0, 16);
  return join(cache, "services", `${name.replaceAll("/", "-")}-${version}-${key}`);
}

/** Returns the platform. The Linux programs are linked with glibc, so Alpine's musl is a separate platform. */
function thisPlatform(): string {
  const { header } = process.report.getReport() as {
    readonly header: { readonly glibcVersionRuntime?: string };
  };
  const isMusl = process.platform === "linux" && header.glibcVersionRuntime === undefined;
  return `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
}
