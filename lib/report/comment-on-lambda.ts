import { claimsDirection } from "../analysis/on-lambda.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import { type CommentRow, callText } from "./comment-tables.ts";
import { code } from "./document/document.ts";
import { count, spanOfRange } from "./document/format.ts";
import { inlineMarkdown } from "./render/escape.ts";

const mostShown = 4;

/** Predicts the decided comparisons of local runs on Lambda, in one line. Returns none without any prediction. */
export function lambdaLines(decided: readonly CommentRow[]): readonly string[] {
  const ranged = decided.flatMap((row) =>
    row.onLambda === undefined ? [] : [{ row, range: row.onLambda }],
  );
  if (ranged.length === 0) return [];
  const claimed = ranged.filter(({ range }) => claimsDirection(range));
  const shown = claimed
    .slice(0, mostShown)
    .flatMap(({ row, range }, index) => [index === 0 ? "" : "; ", ...rangeText(row, range)]);
  const notShown = claimed.length - Math.min(claimed.length, mostShown);
  const more = notShown === 0 ? "" : `; and ${count(notShown)} more on one side of 1`;
  const open = ranged.length - claimed.length;
  const either =
    open === 0
      ? ""
      : `${claimed.length === 0 ? "" : "; "}either may be faster in ${count(open)} of ${count(ranged.length)} decided here`;
  return [inlineMarkdown(["On Lambda (90% ranges of the ratio): ", ...shown, `${more}${either}.`])];
}

function rangeText(row: CommentRow, range: LambdaRange) {
  return [code(row.name), `, ${callText(row)}, ${spanOfRange(range)} times`];
}
