import { groupBy } from "../../lib/contract/group-by.ts";
import type { SpeedProbe } from "../../lib/contract/types/contract.ts";
import { partsOfWork } from "../../lib/prediction/machine-speed.ts";
import { publishedTimes } from "../../lib/prediction/published-times.ts";
import { localCall, type StudySeries } from "../../lib/prediction/study-calls.ts";
import { median } from "../../lib/statistics/order-statistics.ts";

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
    const parts = partsOfWork(published.kind);
    return parts.map((part) => ({ part, ratio: (above ?? Number.NaN) / (below ?? Number.NaN) }));
  });
  const derived = [...groupBy(ratios, ({ part }) => part)].map(([part, same]) => {
    const slowness = median(same.map(({ ratio }) => ratio));
    return [part, (speed[part] ?? Number.NaN) / slowness] as const;
  });
  return { schemaVersion: speed.schemaVersion, ...Object.fromEntries(derived) } as SpeedProbe;
}
