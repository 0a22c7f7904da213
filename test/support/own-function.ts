import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { openArtefact } from "../../lib/functions/artefact.ts";
import { functionsExperiment } from "../../lib/functions/functions-experiment.ts";
import { findLanguage } from "../../lib/functions/runtime-choice.ts";
import { localCommands } from "../../lib/local/local-functions.ts";
import { LocalTarget } from "../../lib/local/local-target.ts";
import { floorCell } from "../../lib/local/machine.ts";
import { findNodeFor, findPythonFor } from "../../lib/toolchain/interpreters.ts";

/** A user's function on this machine, made of the text of its files. */
export interface OwnFunction {
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
}

/** Texts by file name; a bootstrap is made executable. */
export async function ownFunction(
  files: Readonly<Record<string, string>>,
  { runtime, handler, timeoutSeconds = 5, endpoints = {} }: OwnFunctionOptions,
): Promise<OwnFunction> {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-own-"));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, "source", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: name === "bootstrap" ? 0o755 : 0o644 });
  }
  const artefact = await openArtefact(join(folder, "source"), join(folder, "unpacked"));
  const measured = { name: "own", artefact: artefact.path };
  const language = findLanguage(runtime);
  // Nothing is fetched: any version will do.
  const options = { isAnyVersion: true, say: () => {} };
  const interpreter =
    language === "python"
      ? await findPythonFor(runtime, options)
      : language === "javascript"
        ? await findNodeFor(runtime, options)
        : undefined;
  const experiment = functionsExperiment(
    { schemaVersion: 1, functions: [measured], events: [{ name: "invoke", payload: {} }] },
    [{ measured, artefact, choice: { runtime, handler }, ...(interpreter && { interpreter }) }],
  );
  const { architecture } = floorCell;
  const cell = { id: "own-128", variant: "own", runtime, architecture, memoryMb: 128 };
  const command = localCommands(experiment, undefined, endpoints);
  const target = new LocalTarget({ timeoutSeconds, command });
  const close = async () => {
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { cell, target, close };
}
