import type { Sample } from "../../../contract/types/contract.ts";
import { type Measured, measured, type OwnQuantity } from "../../collect/quantities.ts";
import { fieldOf } from "../../collect/result-fields.ts";
import { type Comparison, comparisonsFrom } from "../../view/comparisons.ts";
import type { ViewInputs } from "../../view/report-view.ts";

/** The work alone, by the function's own clock: Lambda's Duration less what surrounds the handler. */
export const workQuantity: OwnQuantity = "own.workMs";

/** What this experiment's report has of its own: `own` in summary.json. */
export interface ComputeFigures {
  /** Of the work's own time, warm, against the baseline. */
  readonly workComparisons: readonly Comparison[];
}

export function workOf({ result }: Sample): Measured {
  return measured({ [workQuantity]: fieldOf(result, "durationMs") });
}

export function computeFigures({ plan, subject, samples }: ViewInputs): ComputeFigures {
  const { variants } = comparisonsFrom(
    plan,
    subject.baselineVariant,
    (cell, { operation, phase, quantity }) =>
      samples.series(cell.id, operation, phase).series(quantity),
    [{ phase: "warm", quantities: [workQuantity] }],
  );
  // An operation that computes nothing has no work to compare.
  const computes = (operation: string) => plan.requests?.[operation]?.expected !== undefined;
  return { workComparisons: variants.filter(({ operation }) => computes(operation)) };
}
