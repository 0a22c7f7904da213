import type { ImportedInvocations, Manifest, Plan } from "../contract/types/contract.ts";
import { firstBlocks, withoutSkipped } from "../plan/blocks.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { sizeChoicesMade, skipsOf } from "./size-choice.ts";

/** The subject of a report: the part of an experiment's definition that a reader needs. */
export interface ReportSubject {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly variants: readonly { readonly id: string; readonly label: string }[];
  /** The variant that ratios are relative to. */
  readonly baselineVariant: string;
}

/** Keeps only the fields that a report needs: callers pass a whole experiment. */
export function pickSubject(subject: ReportSubject): ReportSubject {
  const { id, title, question, baselineVariant } = subject;
  const variants = subject.variants.map(({ id, label }) => ({ id, label }));
  return { id, title, question, variants, baselineVariant };
}

/** Returns the variant's label, or its id if the subject does not list it. */
export function variantLabel(subject: ReportSubject, variant: string): string {
  return subject.variants.find((known) => known.id === variant)?.label ?? variant;
}

/** The expected traffic of a function, for which costs are stated. */
export interface Traffic {
  /** Share of the invocations that are cold, between 0 and 1. */
  readonly coldShare: number;
  readonly invocationsPerMonth: number;
  /** The invocations of an imported log, if the share is theirs. */
  readonly logged?: ImportedInvocations;
}

/** 1% cold, a million invocations a month. */
export const defaultTraffic: Traffic = { coldShare: 0.01, invocationsPerMonth: 1_000_000 };

/** Completes the traffic that was asked for: with a log's own share of cold starts if it has every invocation. */
export function statedTraffic(
  asked: Partial<Traffic>,
  { imported }: Pick<Manifest, "imported">,
): Traffic {
  const traffic = { ...defaultTraffic, ...asked };
  const logged = imported?.everyInvocation;
  if (asked.coldShare !== undefined || logged === undefined) return traffic;
  const { cold, warm } = logged;
  return cold + warm === 0 ? traffic : { ...traffic, coldShare: cold / (cold + warm), logged };
}

/**
 * Returns the part of the plan that was due. Under a stopping rule a plan has the maximum number of blocks. Blocks
 * after the end of the run were never due, so their samples are not missing; nor are those of sizes that were
 * dropped.
 */
export function madePlan(
  plan: Plan,
  { stopping }: Pick<Manifest, "stopping">,
  samples: CollectedSamples,
): Plan {
  if (plan.stopping === undefined) return plan;
  const choices = sizeChoicesMade(plan, stopping === undefined ? {} : { stopping }, samples);
  const measuredPlan = choices === undefined ? plan : withoutSkipped(plan, skipsOf(choices));
  const least = plan.sizes.environments;
  return firstBlocks(measuredPlan, Math.max(least, samples.begunBlocks, stopping?.blocks ?? 0));
}
