import { collectSamples } from "../../../lib/analysis/collect-samples.ts";
import type { OneRun } from "../../../lib/analysis/compare-runs.ts";
import type { Manifest, Plan, Sample } from "../../../lib/contract/types/contract.ts";
import {
  type FixtureChoice,
  fixtureManifest,
  fixturePlan,
  fixtureSamples,
  streamed,
} from "../../report/support/fixture.ts";

interface Made {
  readonly plan?: Partial<Plan>;
  readonly manifest?: Partial<Omit<Manifest, "counts">>;
  /** Returns the factor by which a sample's times are longer. @default 1 */
  readonly factorOf?: (sample: Sample) => number;
  /** @default all samples are */
  readonly isKept?: (sample: Sample) => boolean;
  /** @default all samples as they are */
  readonly each?: (sample: Sample) => Sample;
}

/** Returns a run of the fixture with its samples read, as kelvin compare reads one. */
export async function oneRun(choice: FixtureChoice, made: Made = {}): Promise<OneRun> {
  const plan = { ...fixturePlan(choice), ...made.plan };
  const { factorOf = () => 1, isKept = () => true, each = (sample) => sample } = made;
  const kept = [...fixtureSamples(plan)].filter(isKept);
  const samples = kept.map((sample) => each(longer(sample, factorOf(sample))));
  const noCost = { add: () => {} };
  return {
    plan,
    manifest: { ...fixtureManifest(plan), ...made.manifest },
    samples: await collectSamples(plan, streamed(samples), noCost, () => ({})),
  };
}

function longer(sample: Sample, factor: number): Sample {
  const { telemetry } = sample;
  if (telemetry === undefined || factor === 1) return sample;
  const { durationMs, initDurationMs } = telemetry;
  const times = {
    durationMs: factor * durationMs,
    ...(initDurationMs !== undefined && { initDurationMs: factor * initDurationMs }),
  };
  const billedDurationMs = Math.ceil(times.durationMs + (times.initDurationMs ?? 0));
  return { ...sample, telemetry: { ...telemetry, ...times, billedDurationMs } };
}
