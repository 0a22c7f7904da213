import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Valgrind } from "../toolchain/valgrind.ts";
import { CallgrindMeter, executedInstructions, underCallgrind } from "./callgrind.ts";
import { LocalTarget, type LocalTargetOptions } from "./local-target.ts";

/** Callgrind takes 30 to 100 times as long as the function by itself. */
const timeoutSeconds = 600;

/** Lifts the limits of time in a function: under callgrind its first handshake would pass them. */
const patience = {
  CONNECT_TIMEOUT_MS: String(timeoutSeconds * 1000),
  WARMUP_LIMIT_MS: String(timeoutSeconds * 1000),
};

export interface InstrumentedTarget {
  readonly target: LocalTarget;
  removeFolder(): void;
}

/** The same functions under callgrind: held to no share of a CPU, their instructions counted. */
export function openInstrumentedTarget(
  command: LocalTargetOptions["command"],
  valgrind: Valgrind,
): InstrumentedTarget {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-callgrind-"));
  const target = new LocalTarget({
    timeoutSeconds,
    initTimeoutMs: timeoutSeconds * 1000,
    command: (cell, runtimeApi) => {
      const { environment, ...start } = command(cell, runtimeApi);
      const patient = { ...start, environment: { ...environment, ...patience } };
      return underCallgrind(patient, valgrind, folder);
    },
    meter: (process) => new CallgrindMeter(executedInstructions(process, valgrind, folder)),
  });
  return { target, removeFolder: () => rmSync(folder, { recursive: true, force: true }) };
}
