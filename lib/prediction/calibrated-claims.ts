import { groupBy } from "../contract/group-by.ts";
import { type CalibratingCall, type Model, makeCalibrator } from "./calibration.ts";
import { type Claim, heldOutClaims, leaveOut, listClaims } from "./claims.ts";
import { fitConstants, type Observation } from "./fit.ts";
import type { RangedClaim } from "./held-out.ts";
import type { Source } from "./published-times.ts";
import { type Basis, ratioRange, timeRange } from "./ranges.ts";
import { measureSpread } from "./spread.ts";

/** Claims about a source's other workloads, predicted with and without a calibration by one of its workloads. */
export interface CalibratedClaims {
  readonly source: Source;
  readonly architecture: Claim["architecture"];
  /** Index of the machine that measured. */
  readonly machine: number;
  /** The workload used for calibration. */
  readonly workload: string;
  /** The claims that the calibration affects, predicted without it. */
  readonly before: readonly RangedClaim[];
  /** The same claims, in the same order, predicted with it. */
  readonly after: readonly RangedClaim[];
  /** Number of claims that the calibration does not affect. */
  readonly untouched: number;
}

/**
 * Calibrates each machine with each published workload of a source, as if it were a user's run, and predicts the
 * source's other workloads on the same architecture. Constants and spread come from the other sources, so nothing
 * else is known of this one. Omits sources with a single workload.
 */
export function calibrateByWorkload(
  machines: readonly (readonly Observation[])[],
): readonly CalibratedClaims[] {
  return leaveOut(machines.flat()).flatMap(({ own, others }) => {
    const model = {
      constants: fitConstants(others),
      spread: measureSpread(heldOutClaims(others)),
    };
    const source = own[0]?.published.source;
    return machines.flatMap((observations, machine) => {
      const used = observations.filter(
        ({ published }) => published.source === source && published.isApart !== true,
      );
      const byArchitecture = groupBy(used, ({ published }) => published.architecture);
      return [...byArchitecture.values()].flatMap((group) =>
        calibrateEach(group, model).map((each) => ({ ...each, machine })),
      );
    });
  });
}

function calibrateEach(
  observations: readonly Observation[],
  model: Model,
): readonly Omit<CalibratedClaims, "machine">[] {
  const workloads = groupBy(observations, workloadOf);
  const [first] = observations;
  if (first === undefined || workloads.size < 2) return [];
  const { source, architecture } = first.published;
  return [...workloads].map(([workload, own]) => {
    const calibrator = makeCalibrator(own.map(calibratingCall), model);
    const others = observations.filter((each) => workloadOf(each) !== workload);
    const claims = listClaims(others, model.constants).flatMap((claim) => {
      const before = ranged(claim, { model });
      const after = ranged(claim, { model, calibrator });
      return before === undefined || after === undefined ? [] : [{ before, after }];
    });
    const touched = claims.filter(({ after }) => after.range.isCalibrated === true);
    return {
      source,
      architecture,
      workload,
      before: touched.map(({ before }) => before),
      after: touched.map(({ after }) => after),
      untouched: claims.length - touched.length,
    };
  });
}

/** Returns an experiment's operation in every language; for parallel calls to S3, for each way to make them. */
function workloadOf({ published: { place, kind } }: Observation): string {
  const { experiment, operation, variant } = place;
  const name = `${experiment} \`${operation}\``;
  return kind.work === "fan-out" ? `${name}, ${variant}` : name;
}

/** Published figures have no intervals: their own spread is taken to be 0. */
function calibratingCall({ published, local }: Observation): CalibratingCall {
  const { durationMs, initMs, place } = published;
  return {
    function: `${place.experiment}/${place.variant}`,
    calls: [local],
    lambda: {
      ...(durationMs !== undefined && { durationMs }),
      ...(initMs !== undefined && { initMs }),
    },
    runSpread: { durationMs: 0, initMs: 0 },
  };
}

function ranged(claim: Claim, basis: Basis): RangedClaim | undefined {
  const { quantity } = claim.kind;
  const [own, base] = claim.calls;
  if (own === undefined) return undefined;
  const range =
    base === undefined
      ? timeRange(own, quantity, 0, basis)
      : ratioRange(own, base, quantity, 0, basis);
  return range && { ...claim, predicted: range.expected, range, isHeldOut: true };
}
