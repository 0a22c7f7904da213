import { statSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../lib/local/free-port.ts";
import type { CargoBuild } from "../../../lib/plan/experiment.ts";
import { dynoxideBinary } from "../../../lib/toolchain/build-local.ts";
import type { CommandPurpose } from "../../../lib/toolchain/command-environment.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import type { CommandOptions } from "../../../lib/toolchain/run-command.ts";
import { rustBinaryPath } from "../../../lib/toolchain/rust-build.ts";
import { lockedVersion } from "../../../lib/toolchain/rust-toolchain.ts";
import {
  type InstalledEngine,
  installDynalite,
  installDynamodbLocal,
  installLocalstack,
  installMoto,
  localstackCommand,
  localstackToken,
  missingForDynamodbLocal,
  missingForLocalstack,
} from "./install-engines.ts";

/** How to install and start an engine on this machine. */
export interface EngineKind {
  /** Returns why the engine is not available here, or undefined if it is. Absent: always available. */
  readonly missing?: () => string | undefined;
  readonly install: (options: CommandOptions) => Promise<InstalledEngine>;
  /** Absent if the driver itself is the engine. */
  readonly command?: EngineCommand;
  /**
   * Part of the caller's environment that the engine inherits.
   * @default that of a service
   */
  readonly surroundings?: CommandPurpose;
  /** True if it listens on every address and cannot be limited to loopback. */
  readonly isOpen?: true;
  /** True if it keeps its tables in files. */
  readonly isInFiles?: true;
  /** Set for an engine in a container, which needs the machine's network and outlives its command. */
  readonly container?: {
    readonly stop: (port: number) => readonly string[];
    /** Passed through the environment. No message may contain it. */
    readonly secret: () => string | undefined;
  };
}

/** Returns the command line. `tablesFolder` is empty; an engine that keeps tables in memory ignores it. */
type EngineCommand = (
  installed: InstalledEngine,
  port: number,
  tablesFolder: string,
) => readonly string[];

export const httpDriverBinary: CargoBuild = { binaryName: "emulators-http", profile: "release" };

const dynoxide: EngineKind = {
  install: async () => installedDynoxide(),
  command: (_, port) => [rustBinaryPath(dynoxideBinary), "serve", "--port", String(port)],
};

const dynamodbLocal: EngineKind = {
  missing: missingForDynamodbLocal,
  install: installDynamodbLocal,
  command: (installed, port) => [...dynamodbLocalCommand(installed, port), "-inMemory"],
  surroundings: "java",
  isOpen: true,
};

const dynalite: EngineKind = {
  install: installDynalite,
  command: ({ folder }, port) => {
    const program = join(folder, "node_modules", "dynalite", "cli.js");
    // By default, dynalite delays creating and deleting a table by half a second.
    const atOnce = ["createTableMs", "updateTableMs", "deleteTableMs"].map((name) => `--${name}=0`);
    return [process.execPath, program, "--host", "127.0.0.1", "--port", String(port), ...atOnce];
  },
};

/** Engine kinds by engine id. */
export const engineKinds: Readonly<Record<string, EngineKind>> = {
  "dynoxide-embedded": { install: dynoxide.install },
  "dynoxide-http": dynoxide,
  "dynoxide-http-file": inFiles(dynoxide, (folder) => ["--file", join(folder, "tables.db")]),
  "dynamodb-local": dynamodbLocal,
  "dynamodb-local-warm": dynamodbLocal,
  "dynamodb-local-file": {
    ...dynamodbLocal,
    command: (installed, port, tablesFolder) => [
      ...dynamodbLocalCommand(installed, port),
      ...["-dbPath", tablesFolder],
    ],
    isInFiles: true,
  },
  dynalite,
  "dynalite-file": inFiles(dynalite, (folder) => ["--path", folder]),
  moto: {
    install: installMoto,
    command: ({ folder }, port) => {
      const server = ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)];
      return [join(folder, "bin", "python"), ...server];
    },
  },
  localstack: {
    missing: missingForLocalstack,
    install: async (options) => await installLocalstack(await freePort(), options),
    command: (_, port) => localstackCommand(port, "start"),
    surroundings: "container",
    container: { stop: (port) => localstackCommand(port, "stop"), secret: localstackToken },
  },
};

/** Returns the kind with additional arguments that name the folder of its tables. */
function inFiles(kind: EngineKind, args: (tablesFolder: string) => readonly string[]): EngineKind {
  const command: EngineCommand = (installed, port, tablesFolder) => [
    ...(kind.command?.(installed, port, tablesFolder) ?? []),
    ...args(tablesFolder),
  ];
  return { ...kind, command, isInFiles: true };
}

function dynamodbLocalCommand({ folder }: InstalledEngine, port: number): readonly string[] {
  const lib = join(folder, "lib");
  const main = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner";
  const java = ["java", `-Djava.library.path=${lib}`, "-cp", `${lib}/*`, main];
  return [...java, "-disableTelemetry", "-port", String(port)];
}

function installedDynoxide(): InstalledEngine {
  const path = rustBinaryPath(dynoxideBinary);
  const version = lockedVersion("dynoxide-rs") ?? "unknown";
  return { folder: projectPaths.rust, version, sizeBytes: statSync(path).size };
}
