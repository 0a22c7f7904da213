import type { Cell, Plan } from "../../contract/types/contract.ts";
import { variantPairs } from "./cell-pairs.ts";
import { type CostView, costOfCell, warmCostOf } from "./cost-view.ts";
import { judgedBy } from "./judged-by.ts";

/** The cold share at which two variants of one size cost the same, by the medians. */
export interface BreakEven {
  readonly operation: string;
  readonly cell: Cell;
  readonly baselineCell: Cell;
  /** Which of the two variants costs less where no invocation is cold; absent where neither does. */
  readonly cheaperWarm?: string;
  /** And where every one is. */
  readonly cheaperCold?: string;
  /** 0 to 1; absent where one variant is the cheaper at every share. */
  readonly coldShare?: number;
}

/** Every variant with the baseline of its size, where both make the operation that is judged by. */
export function breakEvens(
  plan: Plan,
  baselineVariant: string,
  cost: CostView,
): readonly BreakEven[] {
  return variantPairs(plan, baselineVariant).flatMap(({ cell, baselineCell }) => {
    const operation = judgedBy(plan, cell.variant);
    if (operation === undefined || operation !== judgedBy(plan, baselineVariant)) return [];
    const [own, baseline] = [cell, baselineCell].map((of) => ({
      cold: costOfCell(cost, of)?.coldUsdPerMillion,
      warm: warmCostOf(cost, of, operation)?.warmUsdPerMillion,
    }));
    const coldLess = difference(own?.cold, baseline?.cold);
    const warmLess = difference(own?.warm, baseline?.warm);
    if (coldLess === undefined || warmLess === undefined) return [];
    const cheaper = (less: number) => (less < 0 ? cell.variant : baselineVariant);
    const share = equalAt(warmLess, coldLess);
    return [
      {
        operation,
        cell,
        baselineCell,
        ...(warmLess !== 0 && { cheaperWarm: cheaper(warmLess) }),
        ...(coldLess !== 0 && { cheaperCold: cheaper(coldLess) }),
        ...(share !== undefined && { coldShare: share }),
      },
    ];
  });
}

function difference(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one - other;
}

/** The share s at which (1 - s) warm + s cold is 0; undefined where it is nowhere, or everywhere. */
export function equalAt(warmLess: number, coldLess: number): number | undefined {
  const share = warmLess / (warmLess - coldLess);
  return share >= 0 && share <= 1 ? share : undefined;
}
