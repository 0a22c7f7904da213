import { join } from "node:path";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import type { Step } from "./step.ts";

const folder = join(projectPaths.root, "test", "mutants");

/** Each room of lib that is mutated, and the rooms of test that are to see its faults. */
const seenBy: Readonly<Record<string, readonly string[]>> = {
  cost: ["cost"],
  plan: ["plan"],
  sampler: ["sampler"],
  statistics: ["statistics"],
  analysis: ["analysis", "report"],
};

const mutatedRooms: readonly string[] = Object.keys(seenBy);

/**
 * Installs StrykerJS beside its configuration: it comes with 167 packages, which nothing else needs. It finds the
 * project's own vitest above them. No tsconfig is read (`none`): StrykerJS would need an older TypeScript for it.
 */
const install: Step = { name: "StrykerJS", command: "npm", args: ["ci"], cwd: folder };

/** The steps that put small faults into the files, one at a time, and print which of them no test sees. */
export function mutantSteps(
  rooms: readonly string[] = mutatedRooms,
  files?: string,
): readonly Step[] {
  const stryker = join(folder, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const config = join(folder, "stryker.config.json");
  const steps = rooms.map((room): Step => {
    const mutated = ["--mutate", files ?? `lib/${room}/**/*.ts`];
    return {
      name: `mutants of lib/${room}`,
      command: process.execPath,
      args: [stryker, "run", config, ...mutated],
      environment: { KELVIN_MUTANTS_SEEN_BY: (seenBy[room] ?? [room]).join(",") },
    };
  });
  return [install, ...steps].map((step) => ({ ...step, isAlone: true }));
}
