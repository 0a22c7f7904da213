import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    readonly temporaryRoot: string;
  }
}

/** Vitest calls it before a project's first test: no worker could remove the folder, for it is killed. */
export function setup(project: TestProject): () => void {
  const root = mkdtempSync(join(tmpdir(), "kelvin-tests-"));
  // As the system's own: a function that runs as another user finds its way through it.
  chmodSync(root, 0o755);
  project.provide("temporaryRoot", root);
  return () => rmSync(root, { recursive: true, force: true });
}

/** A new empty folder, which is gone after the last test of all. */
export function temporaryFolder(): string {
  return mkdtempSync(join(inject("temporaryRoot"), "folder-"));
}

let outdir: string | undefined;

/** Where a worker's cloud assemblies are written, one over the other: what they are made of is copied and hashed once. */
export function cdkOutdir(): string {
  outdir ??= temporaryFolder();
  return outdir;
}
