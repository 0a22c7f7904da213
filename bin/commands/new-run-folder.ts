import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { requirePlainFolder } from "../../lib/files/plain-file.ts";
import { newRunId } from "../../lib/protocol/run-id.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { experimentFolders, requireFolder } from "./stored-run.ts";

export interface RunName {
  readonly runId: string;
  readonly createdAt: string;
}

/** What a run that begins now is called. */
export function newRunName(): RunName {
  const createdAt = new Date().toISOString();
  return { createdAt, runId: newRunId(createdAt, randomBytes(3).toString("hex")) };
}

/** Where its files go; throws InvalidInput where there is a run already. Nothing is written yet. */
export function newRunFolder(out: string | undefined, runId: string): string {
  const directory = resolve(out ?? join(projectPaths.runs, runId));
  requireFolder("out", directory);
  requirePlainFolder(directory);
  requireNoRun(out, directory);
  return directory;
}

/** Throws InvalidInput where there is a run in the folder. */
export function requireNoRun(out: string | undefined, directory: string): void {
  if (experimentFolders(directory).length === 0) return;
  throw new InvalidInput("out", out, "a folder without a run in it, or --resume for that run");
}
