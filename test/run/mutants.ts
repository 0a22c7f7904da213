import { join } from "node:path";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import type { Step } from "./step.ts";

const folder = join(projectPaths.root, "test", "mutants");

interface MutatedRoom {
  /** Patterns of the test files that are to see its faults. Default: those of the room. */
  readonly seenBy?: readonly string[];
  /**
   * Leaves out faults in what is computed once, when a module is loaded: for each, all tests of the room are run, which
   * takes minutes where they are many.
   */
  readonly ignoreStatic?: true;
}

/** The rooms of lib that are mutated. terminal-lines checks how lines break, in a third of the time of all reports. */
const rooms: Readonly<Record<string, MutatedRoom>> = {
  cost: {},
  plan: {},
  sampler: {},
  statistics: { ignoreStatic: true },
  analysis: { seenBy: ["analysis/**/*", "report/**/!(terminal-lines)"], ignoreStatic: true },
};

export const mutatedRooms: readonly string[] = Object.keys(rooms);

export interface MutantDraw {
  /** The rooms to draw from. Default: all. */
  readonly drawn?: readonly string[];
  /** A path or pattern within a room. Default: all of its files. */
  readonly files?: string | undefined;
  /** The share of the mutants that are drawn; 1: all. */
  readonly share: number;
  readonly seed: number;
}

/**
 * Installs StrykerJS beside its configuration: it comes with 167 packages, which nothing else needs. It finds the
 * project's own vitest above them. No tsconfig is read (`none`): StrykerJS would need an older TypeScript for it.
 */
const install: Step = { name: "StrykerJS", command: "npm", args: ["ci"], cwd: folder };

/**
 * Returns the steps that put small faults into the files, one at a time, print which of them no test sees, and what
 * share of them the tests saw.
 */
export function mutantSteps(draw: MutantDraw): readonly Step[] {
  const { drawn = mutatedRooms } = draw;
  const steps = drawn.flatMap((room) => [mutate(room, draw), printShare(room)]);
  return [install, ...steps].map((step) => ({ ...step, isAlone: true }));
}

function mutate(room: string, { files = `lib/${room}/**/*.ts`, share, seed }: MutantDraw): Step {
  const stryker = join(folder, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const config = join(folder, "stryker.config.json");
  const { seenBy = [`${room}/**/*`], ignoreStatic } = rooms[room] ?? {};
  return {
    name: `mutants of lib/${room}`,
    command: process.execPath,
    args: [stryker, "run", config, "--mutate", files, ...(ignoreStatic ? ["--ignoreStatic"] : [])],
    environment: {
      KELVIN_MUTANTS_SEEN_BY: seenBy.join(","),
      KELVIN_MUTANTS_SHARE: String(share),
      KELVIN_MUTANTS_SEED: String(seed),
    },
  };
}

function printShare(room: string): Step {
  const script = join(folder, "print-share.ts");
  return {
    name: `share killed of lib/${room}`,
    command: process.execPath,
    args: ["--import", "tsx", script],
  };
}
