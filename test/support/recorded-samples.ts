import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import { type ResultStore, storedSamples } from "../../lib/sampler/result-store.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import { FakeTarget } from "./fake-target.ts";

/** Returns every sample of a store, as it is read. */
export async function samplesIn(store: ResultStore): Promise<Sample[]> {
  const samples: Sample[] = [];
  for await (const sample of storedSamples(store)) samples.push(sample);
  return samples;
}

/** Returns the samples of a plan that a fake target answers. */
export async function fakeSamples(plan: Plan): Promise<Sample[]> {
  const samples: Sample[] = [];
  const sample = async (made: Sample) => void samples.push(made);
  await runPlan(plan, new FakeTarget(), { sample, failure: async () => {} });
  return samples;
}
