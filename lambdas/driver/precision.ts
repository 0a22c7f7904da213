import { describeFound, precisionSoFar } from "../../lib/analysis/precision.ts";
import type { Sample, StoppingLook } from "../../lib/contract/types/contract.ts";
import { measuredSubject } from "../../lib/experiments/catalogue.ts";
import type { PrecisionRequest } from "../../lib/run/messages.ts";
import { storedSamples } from "../../lib/sampler/result-store.ts";
import { stoppingLook } from "../../lib/sampler/stopping-rule.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { storedPlan } from "./stored-plan.ts";

/** Decides whether an experiment with a stopping rule goes on, with the same rule as a local run. */
export const handler = (request: PrecisionRequest) => precision(request, awsPorts());

export async function precision(
  { folder, blocks, isSpent }: PrecisionRequest,
  ports: DriverPorts,
): Promise<StoppingLook> {
  const store = resultStore(ports, folder);
  const plan = await storedPlan(store);
  const { baselineVariant } = measuredSubject(plan);
  let firstMs = ports.now().getTime();
  async function* timed(samples: AsyncIterable<Sample>) {
    for await (const sample of samples) {
      const { startedAt } = sample;
      if (startedAt !== undefined) firstMs = Math.min(firstMs, Date.parse(startedAt));
      yield sample;
    }
  }
  const found = await precisionSoFar(plan, baselineVariant, timed(storedSamples(store)));
  const minutes = (ports.now().getTime() - firstMs) / 60_000;
  return stoppingLook(plan, describeFound(found), {
    blocks,
    minutes: Math.max(0, minutes),
    isSpent,
  });
}
