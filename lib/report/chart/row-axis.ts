import { colours } from "./palette.ts";
import { textSize } from "./svg-chart.ts";

/** Of a letter, at the most. */
const charWidth = 8;
const leastMargin = 60;

/** The room that words need beside the rows, in the picture's units. */
export function marginFor(words: readonly string[]): number {
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0);
  return Math.max(leastMargin, longest * charWidth + 14);
}

/** The words beside the rows of a chart, at either side of it. */
export function rowAxis(position: "left" | "right", words: readonly string[]) {
  return {
    type: "category",
    position,
    inverse: true,
    data: words.map((_, index) => index),
    axisLabel: {
      interval: 0,
      color: colours.ink,
      fontSize: textSize,
      formatter: (_: string, index: number) => words[index] ?? "",
    },
    axisTick: { show: false },
    axisLine: { show: false },
    splitLine: { show: false },
  };
}
