import {
  type CalibratedClaims,
  calibrateByWorkload,
} from "../../lib/prediction/calibrated-claims.ts";
import type { Observation } from "../../lib/prediction/fit.ts";
import { isHeld, type RangedClaim, scoreClaims } from "../../lib/prediction/held-out.ts";
import { figure, row } from "./page-table.ts";

/**
 * Returns the marked section of docs/prediction.md about calibration: a row per workload that calibrates a machine.
 *
 * @param names the machines' names, in the same order
 */
export function calibratedTable(
  machines: readonly (readonly Observation[])[],
  names: readonly string[],
): readonly string[] {
  const calibrated = calibrateByWorkload(machines).filter(({ before }) => before.length > 0);
  const all = {
    before: calibrated.flatMap(({ before }) => before),
    after: calibrated.flatMap(({ after }) => after),
  };
  return [
    row([
      ...["machine", "source", "calibrated with", "figures of its other workloads"],
      ...["error factor before", "error factor after"],
      ...["within the range before", "within the range after"],
      ...["mean width before", "mean width after"],
    ]),
    row(["---", "---", "---", ...Array(7).fill("---:")]),
    ...calibrated.map((each) =>
      row([names[each.machine] ?? "", each.source, nameOf(each), ...scores(each)]),
    ),
    row(["all", "all", "each in turn", ...scores(all)]),
    ...["", changesLine(calibrated)],
  ];
}

function changesLine(calibrated: readonly CalibratedClaims[]): string {
  const better = calibrated.filter(
    ({ before, after }) => scoreClaims(after).meanFactor < scoreClaims(before).meanFactor,
  );
  const worse = calibrated.length - better.length;
  return `- Of ${calibrated.length} calibrations, ${better.length} make the error factor of the source's other workloads smaller, and ${worse} do not.`;
}

function nameOf({ workload, architecture }: CalibratedClaims): string {
  return `${workload}, ${architecture}`;
}

function scores({ before, after }: Pick<CalibratedClaims, "before" | "after">): readonly string[] {
  const [plain, calibrated] = [scoreClaims(before), scoreClaims(after)];
  const heldCount = (claims: readonly RangedClaim[]) => `${claims.filter(isHeld).length}`;
  return [
    String(before.length),
    ...[plain.meanFactor, calibrated.meanFactor].map(figure),
    ...[before, after].map((claims) => `${heldCount(claims)} of ${claims.length}`),
    ...[plain.meanWidth, calibrated.meanWidth].map(figure),
  ];
}
