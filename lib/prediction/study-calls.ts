import study from "../contract/prediction.json" with { type: "json" };
import type { SpeedProbe } from "../contract/types/contract.ts";
import type { Observation } from "./fit.ts";
import type { LocalCall, MeanTime } from "./local-times.ts";
import { atStudySpeed, slownessOf } from "./machine-speed.ts";
import { type Place, type PublishedTimes, publishedTimes } from "./published-times.ts";

/** One call of one function in the study's runs, as stored in lib/contract/prediction.json. */
export interface StudySeries extends Place {
  readonly means: {
    readonly durationMs?: MeanTime;
    readonly initDurationMs?: MeanTime;
    readonly billedDurationMs?: MeanTime;
    readonly warmupMs?: MeanTime;
  };
  readonly artefactMb?: number;
}

const studies = study.studies as unknown as readonly {
  readonly machine: string;
  readonly series: readonly StudySeries[];
  readonly speed: SpeedProbe;
}[];

/** Time of an answer in the study's runs, ms. */
const answerMs = 1.5;

/** Time of a connection in the study's runs of experiments that call a service, ms. */
const connectMs: Readonly<Record<string, number>> = {
  dynamodb: 8.7,
  "dynamodb-batch": 8.7,
  "first-request": 1.4,
  "put-item": 8.7,
  "validated-put": 8.7,
};

/** Every published call that the study also measured here, on each machine, at the speed of the first machine. */
export const observations: readonly Observation[] = studies.flatMap(({ machine, series, speed }) =>
  publishedTimes.flatMap((published) => {
    const local = localCall(published, series);
    if (local === undefined) return [];
    const slowness = slownessOf(speed, local.kind);
    return [{ published, local: atStudySpeed(local, slowness), machine }];
  }),
);

/** Returns the call as measured here; undefined if it was not. */
export function localCall(
  { kind, place, durationMs, warmsInInit = false }: PublishedTimes,
  series: readonly StudySeries[],
): LocalCall | undefined {
  const own = series.find((each) => isSameCall(each, place) && each.memoryMb === place.memoryMb);
  // Init has no quota here, so it does not depend on the size.
  const started = series.filter((each) => isSameCall(each, { ...place, phase: "cold" }));
  const init = [own, ...started].find((each) => each?.means.initDurationMs !== undefined);
  const duration = own?.means.durationMs?.mean;
  if (durationMs === undefined ? init === undefined : duration === undefined) return undefined;
  const { warmupMs, initDurationMs } = init?.means ?? {};
  if (warmsInInit && warmupMs === undefined) return undefined;
  return {
    kind,
    memoryMb: place.memoryMb,
    call: place.phase === "cold" ? "first" : "warm",
    durationMs: duration ?? 0,
    ...waits(connectMs[place.experiment]),
    ...(initDurationMs !== undefined && { initMs: initDurationMs.mean }),
    ...(warmupMs !== undefined && { warmupMs: warmupMs.mean }),
    ...(init?.artefactMb !== undefined && { artefactMb: init.artefactMb }),
  };
}

/** Returns how long a call waits for the simulated network: 0 without a service. */
function waits(connect: number | undefined): Pick<LocalCall, "networkMs" | "answerMs"> {
  return connect === undefined ? { networkMs: 0 } : { networkMs: connect + answerMs, answerMs };
}

function isSameCall(a: Place, b: Place): boolean {
  const keys = ["experiment", "variant", "phase", "operation"] as const;
  return keys.every((key) => a[key] === b[key]);
}
