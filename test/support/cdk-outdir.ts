import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    readonly cdkAssemblies: string;
  }
}

/** Vitest calls it before a project's first test: no worker could remove the folder, for it is killed. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-cdk-"));
  project.provide("cdkAssemblies", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

let folder: string | undefined;

/**
 * Where a worker's cloud assemblies are written, one over the other: what they are made of is copied and
 * hashed once. The CDK would leave it behind; it is gone after the tests.
 */
export function cdkOutdir(): string {
  folder ??= mkdtempSync(join(inject("cdkAssemblies"), "app-"));
  return folder;
}
