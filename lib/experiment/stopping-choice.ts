import { InvalidInput } from "../contract/errors.ts";
import { shareOf } from "../contract/share.ts";

/** What is asked of a run that ends by a rule; what is absent has a default. */
export interface StoppingChoice {
  /** Half the width of every ratio's 95 % interval, as a share of the ratio; 0.05 is 5 %. */
  readonly untilPrecision: number;
  readonly maxSamples?: number;
  readonly maxMinutes?: number;
}

/** The same as somebody gave it: typed words, or JSON. */
type Given<Value> = { readonly [Field in keyof StoppingChoice]?: Value };

/** How a number of the budget is read; throws InvalidInput naming the field. */
type NumberOf<Value> = (field: string, value: Value) => number;

/**
 * Until when blocks are added; undefined where the run ends with its sizes. Throws InvalidInput naming the
 * field, also of a budget without the rule.
 */
export function stoppingChoice<Value>(
  { untilPrecision, maxSamples, maxMinutes }: Given<Value>,
  budget: { readonly maxSamples: NumberOf<Value>; readonly maxMinutes: NumberOf<Value> },
): StoppingChoice | undefined {
  if (untilPrecision === undefined) {
    for (const [field, found] of Object.entries({ maxSamples, maxMinutes })) {
      const allowed = "nothing without untilPrecision, whose budget it is";
      if (found !== undefined) throw new InvalidInput(field, found, allowed);
    }
    return undefined;
  }
  return {
    untilPrecision: shareOf("untilPrecision", untilPrecision),
    ...(maxSamples !== undefined && { maxSamples: budget.maxSamples("maxSamples", maxSamples) }),
    ...(maxMinutes !== undefined && { maxMinutes: budget.maxMinutes("maxMinutes", maxMinutes) }),
  };
}
