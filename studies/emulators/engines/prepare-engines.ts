import { describeError } from "../../../lib/contract/errors.ts";
import type { Plan } from "../../../lib/contract/types/contract.ts";
import {
  type BuildStep,
  buildRustBinaries,
  dynoxideBinary,
} from "../../../lib/toolchain/build-local.ts";
import { preparePythonVenv } from "../../../lib/toolchain/python.ts";
import { localTarget } from "../../../lib/toolchain/rust-build.ts";
import { type EngineKind, engineKinds, httpDriverBinary } from "./engine-kinds.ts";
import type { InstalledEngine } from "./install-engines.ts";

/** An installed engine, or the reason why it could not be installed, which its trials then report. */
export type Installation = InstalledEngine | { readonly reason: string };

interface Preparation {
  readonly signal: AbortSignal;
  readonly onStep: (step: BuildStep) => void;
}

/** Builds the drivers, which every engine needs. Installs each engine, or records why it could not be installed. */
export async function prepareEngines(
  plan: Plan,
  { signal, onStep }: Preparation,
): Promise<ReadonlyMap<string, Installation>> {
  await preparePythonVenv({ signal });
  await buildRustBinaries([httpDriverBinary, dynoxideBinary], localTarget, { signal, onStep });
  const ids = plan.cells.map(({ id }) => id);
  const installed = await installEngines(ids, async (id, kind) => {
    onStep({ label: id, state: "started" });
    const onLine = (detail: string) => onStep({ label: id, state: "working", detail });
    const engine = await kind.install({ signal, onLine });
    onStep({ label: id, state: "done" });
    return engine;
  });
  signal.throwIfAborted();
  return installed;
}

/** Installs each engine, or records the reason of the failure. */
async function installEngines(
  ids: readonly string[],
  install: (id: string, kind: EngineKind) => Promise<InstalledEngine>,
): Promise<ReadonlyMap<string, Installation>> {
  const installed = new Map<string, Installation>();
  for (const id of ids) {
    const kind = engineKinds[id];
    if (kind === undefined) throw new Error(`no engine ${id}`);
    const outcome = await install(id, kind).catch((error: unknown) => ({
      reason: describeError(error).message,
    }));
    installed.set(id, outcome);
  }
  return installed;
}
