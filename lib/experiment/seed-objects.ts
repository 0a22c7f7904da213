import type { ExperimentBucket } from "./experiment.ts";

/** An object of the seed. */
export interface SeedObject {
  readonly key: string;
  readonly body: string;
}

/** The objects that an experiment's bucket holds before a run. */
export function seedObjects({ prefix, seed }: ExperimentBucket): readonly SeedObject[] {
  return Array.from({ length: seed.objectCount }, (_, index) => ({
    key: `${prefix}object-${String(index).padStart(3, "0")}`,
    body: "x".repeat(seed.objectBytes),
  }));
}
