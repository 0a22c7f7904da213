import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CargoBuild } from "../../experiment/experiment.ts";
import { installDynalite } from "../../toolchain/engines/dynalite.ts";
import {
  installDynamodbLocal,
  missingForDynamodbLocal,
} from "../../toolchain/engines/dynamodb-local.ts";
import type { InstalledEngine } from "../../toolchain/engines/installed-engine.ts";
import { installMoto } from "../../toolchain/engines/moto.ts";
import { projectPaths } from "../../toolchain/project-paths.ts";
import type { CommandOptions } from "../../toolchain/run-command.ts";
import { rustBinaryPath } from "../../toolchain/rust-build.ts";

/** How an engine is had and started on this machine. */
export interface EngineKind {
  /** Why it cannot be had here; undefined, or no such question, where it can. */
  readonly missing?: () => string | undefined;
  readonly install: (options: CommandOptions) => Promise<InstalledEngine>;
  /** The engine's command line; absent where the driver itself is the engine. */
  readonly command?: (installed: InstalledEngine, port: number) => readonly string[];
  /** Listens on every address, whatever it is told. */
  readonly isOpen?: true;
  /** Reaches its own parts over the machine's network. */
  readonly needsNetwork?: true;
}

export const httpDriverBinary: CargoBuild = { binaryName: "emulators-http", profile: "release" };
export const dynoxideBinary: CargoBuild = {
  binaryName: "emulators-embedded",
  packageName: "standins",
  profile: "release",
};

const dynamodbLocal: EngineKind = {
  missing: missingForDynamodbLocal,
  install: installDynamodbLocal,
  command: ({ folder }, port) => {
    const lib = join(folder, "lib");
    const main = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner";
    const java = ["java", `-Djava.library.path=${lib}`, "-cp", `${lib}/*`, main];
    return [...java, "-inMemory", "-disableTelemetry", "-port", String(port)];
  },
  isOpen: true,
};

/** By the engines' ids. */
export const engineKinds: Readonly<Record<string, EngineKind>> = {
  "dynoxide-embedded": { install: async () => installedDynoxide() },
  "dynoxide-http": {
    install: async () => installedDynoxide(),
    command: (_, port) => [rustBinaryPath(dynoxideBinary), "serve", "--port", String(port)],
  },
  "dynamodb-local": dynamodbLocal,
  "dynamodb-local-warm": dynamodbLocal,
  dynalite: {
    install: installDynalite,
    command: ({ folder }, port) => {
      const program = join(folder, "node_modules", "dynalite", "cli.js");
      // Its tables come and go after half a second unless it is told otherwise.
      const atOnce = ["createTableMs", "updateTableMs", "deleteTableMs"].map(
        (name) => `--${name}=0`,
      );
      return [process.execPath, program, "--host", "127.0.0.1", "--port", String(port), ...atOnce];
    },
  },
  moto: {
    install: installMoto,
    command: ({ folder }, port) => {
      const server = ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)];
      return [join(folder, "bin", "python"), ...server];
    },
  },
  localstack: {
    missing: missingForLocalstack,
    install: async () => ({ folder: projectPaths.cache, version: localstackVersion() }),
    command: (_, port) => {
      const settings = [`GATEWAY_LISTEN=127.0.0.1:${port}`, "SERVICES=dynamodb"];
      return ["env", ...settings, "localstack", "start"];
    },
    needsNetwork: true,
  },
};

function installedDynoxide(): InstalledEngine {
  const path = rustBinaryPath(dynoxideBinary);
  const lock = readFileSync(join(projectPaths.rust, "Cargo.lock"), "utf8");
  const version = /name = "dynoxide-rs"\nversion = "([^"]+)"/.exec(lock)?.[1] ?? "unknown";
  return { folder: projectPaths.rust, version, sizeBytes: statSync(path).size };
}

/** Its current command line starts nothing without a token of its maker's. */
function missingForLocalstack(): string | undefined {
  const found = spawnSync("localstack", ["--version"], { stdio: "ignore" });
  if (found.status !== 0) return "no localstack on PATH (its CLI, with Docker)";
  return process.env.LOCALSTACK_AUTH_TOKEN === undefined
    ? "LOCALSTACK_AUTH_TOKEN: found nothing; its CLI starts nothing without one"
    : undefined;
}

function localstackVersion(): string {
  return spawnSync("localstack", ["--version"], { encoding: "utf8" }).stdout.trim();
}
