import type { Cell, Manifest, Plan } from "../contract/types/contract.ts";
import { expectRatio, type MeasuredCall } from "../prediction/expectation.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { isLimited, measuredCall, spreadOf } from "./measured-calls.ts";
import type { Compared } from "./series-ratio.ts";
import { makeMeasure, type Phase } from "./series-view.ts";

/** One of two runs on this machine. */
interface LocalSide {
  readonly plan: Plan;
  readonly manifest: Pick<Manifest, "machine" | "artefacts" | "speed">;
  readonly samples: CollectedSamples;
}

/** The ratio of a series' time in the later run to that in the earlier one. */
interface Change extends Pick<Compared, "low" | "high"> {
  readonly cell: Cell;
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: string;
}

/**
 * changesOnLambda returns a function that gives the 90% range on Lambda of a change between two local runs: of Init
 * plus first Duration, and of warm Durations. It returns undefined for other quantities and runs, and if the model
 * makes no prediction.
 */
export function changesOnLambda(
  before: LocalSide,
  after: LocalSide,
): (change: Change) => LambdaRange | undefined {
  if (before.plan.target !== "local" || after.plan.target !== "local") return () => undefined;
  return (change) => {
    const { phase, quantity } = change;
    const isStart = phase === "cold" && quantity === "initAndDurationMs";
    const isWarm = phase === "warm" && quantity === "durationMs";
    const runSpread = spreadOf(change);
    if ((!isStart && !isWarm) || runSpread === undefined) return undefined;
    const [above, below] = [callOf(after, change), callOf(before, change)];
    if (above === undefined || below === undefined) return undefined;
    return expectRatio(above, below, isStart ? "cold" : "warm", runSpread);
  };
}

function callOf(
  { plan, manifest, samples }: LocalSide,
  { cell, phase, operation }: Change,
): MeasuredCall | undefined {
  if (!isLimited(manifest, cell)) return undefined;
  const collected = samples.series(cell.id, operation, phase);
  const builds = samples.builds.all();
  return measuredCall(
    { plan, manifest, builds },
    {
      cell,
      phase,
      durationMs: makeMeasure(collected, "durationMs"),
      ...(phase === "cold" && {
        initDurationMs: makeMeasure(collected, "initDurationMs"),
        warmupMs: makeMeasure(collected, "warmupMs"),
      }),
    },
  );
}
