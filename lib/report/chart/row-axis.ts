import { colours } from "./palette.ts";
import { textSize } from "./svg-chart.ts";

/** The words beside the rows of a chart, at either side of it. */
export function rowAxis(
  rows: number,
  position: "left" | "right",
  textOf: (index: number) => string,
) {
  return {
    type: "category",
    position,
    inverse: true,
    data: Array.from({ length: rows }, (_, index) => index),
    axisLabel: {
      interval: 0,
      color: colours.ink,
      fontSize: textSize,
      formatter: (_: string, index: number) => textOf(index),
    },
    axisTick: { show: false },
    axisLine: { show: false },
    splitLine: { show: false },
  };
}
