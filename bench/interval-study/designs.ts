import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import type { Design, StudyOptions } from "./simulated.ts";
import type { StoppingDesign } from "./study.ts";

export const publishedOptions: StudyOptions = { rounds: 4_000, draws: 1_000, seed: 20_261_121 };

export const { quick, standard } = dynamodb.presets;

/** The sizes of a series in the presets of the experiment dynamodb. */
export const designs: readonly Design[] = [
  coldDesign("quick, cold", quick.environments),
  warmDesign("quick, warm", quick.warmEnvironments, quick.warmCalls),
  coldDesign("standard, cold", standard.environments),
  warmDesign("standard, warm", standard.warmEnvironments, standard.warmCalls),
];

/** Cold starts until one ratio reaches a precision; at most ten times the preset's environments. */
export const stoppingDesigns: readonly StoppingDesign[] = [
  until("quick, cold", quick.environments, 0.1),
  until("standard, cold", standard.environments, 0.05),
];

export const presets = ["quick", "standard"] as const;

export function designOf(size: (typeof presets)[number], phase: "cold" | "warm"): Design {
  const design = designs.find(({ label }) => label === `${size}, ${phase}`);
  if (design === undefined) throw new RangeError(`no ${phase} calls of ${size}`);
  return design;
}

/** Returns the design's name in a table. */
export function designText({ label, environments, callsEach }: Design): string {
  return `${label}: ${environments}${callsEach === 1 ? "" : ` x ${callsEach}`}`;
}

export function withShare(options: StudyOptions, share: number): StudyOptions {
  return { ...options, rounds: Math.ceil(options.rounds * share) };
}

function until(label: string, least: number, untilPrecision: number): StoppingDesign {
  return { label, least, most: 10 * least, untilPrecision };
}

export function coldDesign(label: string, environments: number): Design {
  return { label, environments, callsEach: 1 };
}

function warmDesign(label: string, environments: number, calls: number): Design {
  return { label, environments, callsEach: calls / environments - dynamodb.discardedCalls };
}
