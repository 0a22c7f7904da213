import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { defined } from "../../lib/contract/defined.ts";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { openArtefact } from "../../lib/functions/artefact.ts";
import { functionsExperiment } from "../../lib/functions/functions-experiment.ts";
import { findLanguage } from "../../lib/functions/runtime-choice.ts";
import type { CgroupRoot } from "../../lib/local/cgroup.ts";
import type { EnvironmentNetwork } from "../../lib/local/environment-network.ts";
import { localCommands } from "../../lib/local/local-functions.ts";
import { LocalTarget } from "../../lib/local/local-target.ts";
import { floorCell } from "../../lib/local/machine.ts";
import type { Sandbox } from "../../lib/local/sandbox/sandbox.ts";
import { findNodeFor, findPythonFor } from "../../lib/toolchain/interpreters.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A user's function on this machine, made from file contents. */
export interface OwnFunction {
  /** Folder of its files. */
  readonly folder: string;
  readonly cell: Cell;
  readonly target: LocalTarget;
  close(): Promise<void>;
}

export interface OwnFunctionOptions {
  readonly runtime: string;
  readonly handler: string;
  /** @default 5 */
  readonly timeoutSeconds?: number;
  /** @default none */
  readonly endpoints?: Readonly<Record<string, string>>;
  /** @default none */
  readonly environment?: Readonly<Record<string, string>>;
  /** Contents of a layer's files by name; those in bin and extensions are executable. @default none */
  readonly layer?: Readonly<Record<string, string>>;
  /** Modes by file name. @default 0644, and 0755 for programs */
  readonly modes?: Readonly<Record<string, number>>;
  /** @default none: the function sees this machine's files as Kelvin does */
  readonly sandbox?: Sandbox;
  /** @default this machine's network */
  readonly network?: EnvironmentNetwork;
  /** @default none */
  readonly cgroupRoot?: CgroupRoot;
}

/** As `openFunction`, and closes the function when the test has ended. */
export async function ownFunction(
  ...own: Parameters<typeof openFunction>
): Promise<Omit<OwnFunction, "close">> {
  const { close, ...opened } = await openFunction(...own);
  onTestFinished(close);
  return opened;
}

/** @param files contents by file name; a bootstrap is executable */
export async function openFunction(
  files: Readonly<Record<string, string>>,
  options: OwnFunctionOptions,
): Promise<OwnFunction> {
  const { runtime, handler, timeoutSeconds = 5, endpoints = {}, environment, layer } = options;
  const { sandbox, network, cgroupRoot } = options;
  const folder = temporaryFolder();
  writeFiles(join(folder, "source"), files);
  for (const [name, mode] of Object.entries(options.modes ?? {})) {
    chmodSync(join(folder, "source", name), mode);
  }
  const artefact = await openArtefact(join(folder, "source"), join(folder, "task"));
  const measured = { name: "own", artefact: artefact.path, ...(environment && { environment }) };
  const layers = layer && { folder: join(folder, "opt"), sha256: "" };
  if (layers !== undefined) writeFiles(layers.folder, layer ?? {});
  const language = findLanguage(runtime);
  // Any version suffices, so that nothing is downloaded.
  const any = { isAnyVersion: true, say: () => {} };
  const interpreter =
    language === "python"
      ? await findPythonFor(runtime, any)
      : language === "javascript"
        ? await findNodeFor(runtime, any)
        : undefined;
  const experiment = functionsExperiment(
    { schemaVersion: 1, functions: [measured], events: [{ name: "invoke", payload: {} }] },
    [
      {
        ...{ measured, artefact, choice: { runtime, handler } },
        ...(interpreter && { interpreter }),
        ...(layers && { layers }),
      },
    ],
  );
  const { architecture } = floorCell;
  const cell = { id: "own-128", variant: "own", runtime, architecture, memoryMb: 128 };
  const command = localCommands(experiment, undefined, endpoints, sandbox !== undefined);
  const target = new LocalTarget({
    timeoutSeconds,
    command,
    ...defined({ sandbox, network, cgroupRoot }),
  });
  return { folder: artefact.folder, cell, target, close: () => target.close() };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isProgram = name === "bootstrap" || /^(bin|extensions)\//.test(name);
    writeFileSync(path, text, { mode: isProgram ? 0o755 : 0o644 });
  }
}
