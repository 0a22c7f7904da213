import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { CargoBuild } from "../plan/experiment.ts";
import { emulatedServiceBinary } from "./build-local.ts";
import { commandEnvironment } from "./command-environment.ts";
import { archiveIntegrity, archiveName, type PinnedPackage } from "./npm-archive.ts";
import { projectPaths } from "./project-paths.ts";
import { runCommand } from "./run-command.ts";
import { type RustTarget, rustBinaryPath } from "./rust-build.ts";
import { lockedVersion } from "./rust-toolchain.ts";
import { type PinnedServices, publicRootsPath } from "./service-programs.ts";
import { thirdPartyNotices } from "./third-party.ts";

/** Programs in a package of emulated services. */
export const serviceBuilds: readonly CargoBuild[] = [
  emulatedServiceBinary("dynamodb"),
  emulatedServiceBinary("s3"),
];

/** Folder of packed services: `KELVIN_SERVICES`, or `services/` in the repository. */
export const packedServicesFolder: string =
  process.env.KELVIN_SERVICES ?? join(projectPaths.root, "services");

/** Packs a platform's built services for npm and pins the archive. Returns the pin. Throws if none are built. */
export async function packServices(target: RustTarget, folder: string): Promise<PinnedPackage> {
  const platform = platformOf(target);
  const name = `${packageJson.name}-services-${platform}`;
  const { version } = packageJson;
  mkdirSync(folder, { recursive: true });
  const content = mkdtempSync(join(tmpdir(), "kelvin-services-"));
  try {
    await writePackage(content, name, target);
    const args = ["pack", content, "--pack-destination", folder, "--loglevel", "error"];
    await runCommand("npm", args, { env: commandEnvironment("npm") });
  } finally {
    rmSync(content, { recursive: true, force: true });
  }
  const archive = join(folder, archiveName({ package: name, version }));
  const pinned = { package: name, version, integrity: archiveIntegrity(archive) };
  writeFileSync(join(folder, `${platform}.json`), `${JSON.stringify(pinned)}\n`);
  return pinned;
}

/** Returns the pins in a folder. Throws if an archive does not match its pin or has another version. */
export function readPackedServices(folder: string = packedServicesFolder): PinnedServices {
  if (!existsSync(folder)) return {};
  const pins = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    pins.map((name) => {
      const pinned: PinnedPackage = JSON.parse(readFileSync(join(folder, name), "utf8"));
      const found = archiveIntegrity(join(folder, archiveName(pinned)));
      if (found !== pinned.integrity || pinned.version !== packageJson.version) {
        throw new Error(
          `${join(folder, name)} is of another archive or version; npm run build:services packs it again`,
        );
      }
      return [name.replace(/\.json$/, ""), pinned];
    }),
  );
}

/** Returns npm's name of a target's platform: https://docs.npmjs.com/cli/v11/configuring-npm/package-json#os */
function platformOf(target: RustTarget): string {
  if (target === "this machine") return `${process.platform}-${process.arch}`;
  return `linux-${target === "arm64" ? "arm64" : "x64"}`;
}

async function writePackage(folder: string, name: string, target: RustTarget): Promise<void> {
  const [os, cpu] = platformOf(target).split("-");
  const { version, license, homepage, bugs, repository } = packageJson;
  const described = {
    name,
    version,
    license,
    homepage,
    bugs,
    repository,
    description: `The emulated DynamoDB and S3 of ${packageJson.name}, for ${os} on ${cpu}`,
    os: [os],
    cpu: [cpu],
    files: ["bin", "roots.pem", "THIRD-PARTY.txt"],
    ...(os === "linux" && { libc: ["glibc"] }),
    crates: Object.fromEntries(crates.map((crate) => [crate, lockedVersion(crate)])),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  writeFileSync(join(folder, "README.md"), `# ${name}\n\n${readme}`);
  copyFileSync(join(projectPaths.root, "LICENSE"), join(folder, "LICENSE"));
  const notices = await thirdPartyNotices("standins", ["dynamodb", "s3"]);
  writeFileSync(join(folder, "THIRD-PARTY.txt"), `${rootsNotice}\n${notices}`);
  copyFileSync(publicRootsPath(), join(folder, "roots.pem"));
  mkdirSync(join(folder, "bin"));
  for (const build of serviceBuilds) {
    const program = join(folder, "bin", build.binaryName);
    copyFileSync(rustBinaryPath(build, target), program);
    chmodSync(program, 0o755);
  }
}

/** The emulators' crates, whose versions a run's manifest contains. */
const crates = ["dynoxide-rs", "s3s"] as const;

const rootsNotice =
  "roots.pem: Mozilla's root certificates as botocore has them: MPL-2.0, https://mozilla.org/MPL/2.0/";

const readme = `Programs that Kelvin starts on loopback where \`kelvin measure\` is to emulate DynamoDB or S3. Kelvin fetches this package
by its hash at the first such run: there is no need to install it. \`THIRD-PARTY.txt\` has the licences of what they are made of.
`;
