import type { ReportView } from "../../analysis/report-view.ts";
import type { Row } from "../../analysis/rows.ts";
import type { Cell } from "../../contract/types/contract.ts";

/** The warm operation shown on the first screen, with its name as in `a warm get`. */
interface ShownOperation {
  readonly operation: string;
  /** `call` if the run has no other operation. */
  readonly name: string;
}

/** Returns the operation by which sizes are judged, or else the first one measured; undefined without warm calls. */
export function warmOperation(view: ReportView): ShownOperation | undefined {
  const { recommendation, subject } = view;
  const measured = new Set(view.rows.warm.map(({ operation }) => operation));
  const chosen =
    recommendation?.variants.find(({ variant }) => variant === subject.baselineVariant) ??
    recommendation?.variants[0];
  const [first] = measured;
  const operation =
    chosen !== undefined && measured.has(chosen.operation) ? chosen.operation : first;
  if (operation === undefined) return undefined;
  return { operation, name: measured.size === 1 ? "call" : operation };
}

/** Returns the row of a cell for the first screen: its cold start, or the warm operation. */
export function shownRow(
  view: ReportView,
  cell: Cell | undefined,
  phase: "cold" | "warm",
): Row | undefined {
  const operation = phase === "cold" ? view.plan.coldOperation : warmOperation(view)?.operation;
  return operation === undefined ? undefined : view.rowOf(cell, phase, operation);
}
