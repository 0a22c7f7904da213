import type { Manifest, Plan } from "../contract/types/contract.ts";
import { firstBlocks, withoutSkipped } from "../plan/blocks.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { sizeChoicesMade, skipsOf } from "./size-choice.ts";

/** The subject of a report: the part of an experiment's definition that a reader needs. */
export interface ReportSubject {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly variants: readonly { readonly id: string; readonly label: string }[];
  /** The variant against which ratios are stated. */
  readonly baselineVariant: string;
}

/** Callers pass a whole experiment; the summary holds what the report needs of it. */
export function pickSubject(subject: ReportSubject): ReportSubject {
  const { id, title, question, baselineVariant } = subject;
  const variants = subject.variants.map(({ id, label }) => ({ id, label }));
  return { id, title, question, variants, baselineVariant };
}

/** The variant's label, or its id if the subject does not list it. */
export function variantLabel(subject: ReportSubject, variant: string): string {
  return subject.variants.find((known) => known.id === variant)?.label ?? variant;
}

/** The expected traffic of a function, for which costs are stated. */
export interface Traffic {
  /** Share of the invocations that are cold, between 0 and 1. */
  readonly coldShare: number;
  readonly invocationsPerMonth: number;
}

/** One invocation in a hundred is cold, and there are a million a month. */
export const defaultTraffic: Traffic = { coldShare: 0.01, invocationsPerMonth: 1_000_000 };

/**
 * The plan as far as it was carried out. Under a stopping rule a plan has the maximum number of blocks:
 * those after the rule ended the run were never due, so their samples are not missing; nor are those of
 * sizes that were dropped.
 */
export function madePlan(
  plan: Plan,
  { stopping }: Pick<Manifest, "stopping">,
  samples: CollectedSamples,
): Plan {
  if (plan.stopping === undefined) return plan;
  const choices = sizeChoicesMade(plan, stopping === undefined ? {} : { stopping }, samples);
  const made = choices === undefined ? plan : withoutSkipped(plan, skipsOf(choices));
  const least = plan.sizes.environments;
  return firstBlocks(made, Math.max(least, samples.begunBlocks, stopping?.blocks ?? 0));
}
