import type { CellFailure, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { findTrial } from "../../lib/sampler/run-plan.ts";
import { measureTrial, type TrialEnd, type TrialOptions } from "../../lib/sampler/sample-trial.ts";
import { FakeTarget } from "../support/fake-target.ts";

/** The first trial of a plan's Python at 128 MB, in one part or in several, and what its recorder got. */
export class TrialParts {
  readonly recorded: Sample[] = [];
  readonly failures: CellFailure[] = [];
  readonly target: FakeTarget;
  readonly #plan: Plan;
  readonly #seenBootIds = new Set<string>();

  constructor(plan: Plan, target = new FakeTarget()) {
    this.#plan = plan;
    this.target = target;
  }

  /** @param seenBootIds those that the driver of this part knows */
  async part(options: TrialOptions = {}, seenBootIds = this.#seenBootIds): Promise<TrialEnd> {
    const trial = findTrial(this.#plan, "python-arm64-128", 0);
    const recorder = {
      sample: async (sample: Sample) => void this.recorded.push(sample),
      failure: async (failure: CellFailure) => void this.failures.push(failure),
    };
    const context = { plan: this.#plan, ...trial, seenBootIds };
    return await measureTrial(this.target, context, recorder, options);
  }

  /** The last sample that was recorded of each sequence. */
  get samples(): readonly Sample[] {
    return [...new Map(this.recorded.map((sample) => [sample.sequence, sample])).values()];
  }

  get reasons() {
    return this.samples.map(({ rejected }) => rejected?.reason);
  }
}
