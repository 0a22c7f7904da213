import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    readonly temporaryRoot: string;
  }
}

/** Called by Vitest before a project's first test. A worker could not remove the folder, because workers are killed. */
export function setup(project: TestProject): () => void {
  const root = mkdtempSync(join(tmpdir(), "kelvin-tests-"));
  // The mode of the system's temporary folder, so that a function running as another user can enter.
  chmodSync(root, 0o755);
  project.provide("temporaryRoot", root);
  return () => rmSync(root, { recursive: true, force: true });
}

/** Returns a new empty folder, removed after the last test. */
export function temporaryFolder(): string {
  return mkdtempSync(join(inject("temporaryRoot"), "folder-"));
}

/** Makes a new folder for each test; returns what gives its path, or the path of a file in it. */
export function folderPerTest(): (...path: readonly string[]) => string {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  return (...path) => join(folder, ...path);
}

let outdir: string | undefined;

/** Returns a worker's folder for cloud assemblies. All share it, so that each asset is copied and hashed once. */
export function cdkOutdir(): string {
  outdir ??= temporaryFolder();
  return outdir;
}
