import { lostReasons } from "../contract/exclusion-reasons.ts";
import type { Cell, Sample } from "../contract/types/contract.ts";
import type { CellCounts, QualityCounts } from "./quality-counts.ts";

type Phase = Sample["phase"];

/** Why a cell's calls of one kind may not be compared, limited or recommended: those that are left may be the easy ones. */
export interface Unsound {
  /**
   * `lost`: calls were wrong, failed or did not report; one of them is enough, whatever its kind. `rejected`: more of
   * this kind than usual do not count for other reasons.
   */
  readonly kind: "lost" | "rejected";
  readonly cellId: string;
  readonly calls: number;
  /** The calls of the same kinds that were recorded. */
  readonly of: number;
  /** The kinds of call that they are. */
  readonly phases: readonly Phase[];
  /** Why they do not count. */
  readonly reasons: readonly string[];
}

/**
 * Share of calls that may be rejected for reasons outside the function, such as an environment that Lambda replaced
 * between two calls; of a log, also the share that may fail, as calls do in production.
 */
const usual = 0.05;

/**
 * unsoundCalls decides whether the figures of one kind of a cell's calls count: undefined if they do. Every reader asks
 * it: comparisons, gates, limits and the recommendation.
 */
export function unsoundCalls(
  target: Sample["target"],
  cell: Pick<Cell, "id">,
  counts: Pick<CellCounts, "byPhase"> | undefined,
  phase: Phase,
): Unsound | undefined {
  if (counts === undefined) return undefined;
  const phases = (["cold", "second", "warm"] as const).filter(
    (each) => counts.byPhase[each].lost > 0,
  );
  const reasonsOf = (own: readonly Phase[]) => [
    ...new Set(own.flatMap((each) => counts.byPhase[each].reasons)),
  ];
  const sum = (of: "lost" | "recorded") =>
    phases.reduce((total, each) => total + counts.byPhase[each][of], 0);
  const all = Object.values(counts.byPhase).reduce((total, each) => total + each.recorded, 0);
  const [lost, isImported] = [sum("lost"), target === "imported"];
  if (lost > (isImported ? usual * all : 0)) {
    const reasons = reasonsOf(phases).filter((each) =>
      lostReasons.some((reason) => reason === each),
    );
    return { kind: "lost", cellId: cell.id, calls: lost, of: sum("recorded"), phases, reasons };
  }
  const { rejected, recorded } = counts.byPhase[phase];
  return isImported || rejected <= Math.max(1, usual * recorded)
    ? undefined
    : {
        ...{ kind: "rejected", cellId: cell.id, calls: rejected, of: recorded },
        ...{ phases: [phase], reasons: reasonsOf([phase]) },
      };
}

/** A run, as far as its calls may be lost. */
interface Run {
  readonly plan: { readonly target: Sample["target"] };
  readonly samples: { readonly quality: QualityCounts };
}

/** Returns the first side of a comparison whose calls may not be compared; undefined if all may. */
export function unsoundSide(
  sides: readonly { readonly run: Run; readonly cell: Pick<Cell, "id"> }[],
  phase: Phase,
): Unsound | undefined {
  const found = sides.flatMap(({ run: { plan, samples }, cell }) => {
    const counts = samples.quality.byCell.get(cell.id);
    return unsoundCalls(plan.target, cell, counts, phase) ?? [];
  });
  return found.find(({ kind }) => kind === "lost") ?? found[0];
}
