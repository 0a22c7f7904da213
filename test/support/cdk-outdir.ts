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

/** A cloud assembly's own folder, which the CDK would leave behind; gone after the tests. */
export function cdkOutdir(): string {
  return mkdtempSync(join(inject("cdkAssemblies"), "app-"));
}
