import { groupBy } from "../../lib/contract/group-by.ts";
import type { SpeedProbe } from "../../lib/contract/types/contract.ts";

import type { FunctionKind } from "../../lib/prediction/function-kind.ts";
import { publishedTimes } from "../../lib/prediction/published-times.ts";
import { localCall, type StudySeries } from "../../lib/prediction/study-calls.ts";
import { median } from "../../lib/statistics/order-statistics.ts";

/** Parts of the probe that `slownessOf` uses for each kind of work. */
const partsOf = {
  python: ["interpreterMs", "allocationMs"],
  compute: ["hashMs"],
  other: ["handshakeMs"],
} as const;

interface ProbedMachine {
  readonly speed: SpeedProbe;
  readonly series: readonly StudySeries[];
}

/**
 * deriveSpeed returns the speed of a machine without a stored one, from the warm calls that it shares with a probed
 * machine: for each kind of work, the median ratio of their times without simulated network delay. First calls are
 * left out, since an older sandbox changes them.
 */
export function deriveSpeed(
  series: readonly StudySeries[],
  { speed, series: probed }: ProbedMachine,
): SpeedProbe {
  const warm = publishedTimes.filter(
    ({ place, kind }) => place.phase === "warm" && kind.work !== "fan-out",
  );
  const places = [...groupBy(warm, ({ place }) => JSON.stringify(place)).values()];
  const ratios = places.flatMap(([published]) => {
    if (published === undefined) return [];
    const [own, reference] = [series, probed].map((each) => localCall(published, each));
    if (own === undefined || reference === undefined) return [];
    const [above, below] = [reference, own].map(
      ({ durationMs, answerMs = 0 }) => durationMs - answerMs,
    );
    return [{ part: partOf(published.kind), ratio: (above ?? Number.NaN) / (below ?? Number.NaN) }];
  });
  const derived = [...groupBy(ratios, ({ part }) => part)].flatMap(([part, same]) => {
    const slowness = median(same.map(({ ratio }) => ratio));
    return partsOf[part].map((name) => [name, (speed[name] ?? Number.NaN) / slowness] as const);
  });
  return { schemaVersion: speed.schemaVersion, ...Object.fromEntries(derived) } as SpeedProbe;
}

function partOf({ family, work }: FunctionKind): keyof typeof partsOf {
  if (family === "python") return "python";
  return family === "native" && work === "compute" ? "compute" : "other";
}
